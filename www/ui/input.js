// @ts-check
// Input: pointer, wheel and keys on the canvases, carried to the screen, which knows what they mean.

import { $ } from "./dom.js";

/** A pointer that moved less than this while pressed has clicked. A finger is less steady. */
const CLICK_PX = 4;
const TAP_PX = 12;

/** @typedef {{ draw(): void, point(item: object | undefined, x: number, y: number): void, select(item: object | undefined | null): void,
 *   step(step: object | "details"): void, command(key: string): boolean }} Page */

export function watchInput(/** @type {any} */ screen, /** @type {Page} */ page) {
  for (const canvas of [$("timeline"), $("chart")]) watchPointer(canvas, screen, page);

  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.closest("dialog[open], textarea, input:not([type=file])");
    const pressing = target.closest("button, label") && /^( |Enter|Tab)$/.test(event.key);
    const scrolling = target.closest("#drawer") && /^( |Enter|Home|End|Page.*|Arrow.*)$/.test(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || typing || pressing || scrolling) return;
    const step = screen.step(event.key, event.shiftKey);
    if (step) page.step(step);
    if (step || page.command(event.key) || screen.key_down(event.key, event.repeat)) event.preventDefault();
    page.draw();
  });
  addEventListener("keyup", (event) => screen.key_up(event.key));
  addEventListener("blur", () => screen.keys_up());

  $("scroll").addEventListener("scroll", () => screen.scroll_to($("scroll").scrollTop) && page.draw());
}

function watchPointer(/** @type {HTMLElement} */ canvas, /** @type {any} */ screen, /** @type {Page} */ page) {
  const onChart = canvas.id === "chart";
  /** Where the pressed pointer was last, and how far it has gone. @type {{ x: number, y: number, way: number } | null} */
  let press = null;

  const hover = (/** @type {PointerEvent | WheelEvent} */ event) => {
    const item = screen.hover(event.offsetX, event.offsetY, onChart);
    canvas.classList.toggle("over", Boolean(item));
    page.point(press && press.way >= CLICK_PX ? undefined : item, event.clientX, event.clientY);
  };

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault(); // a pinch on a touch pad comes as a wheel with ctrl, and would zoom the page
    if (event.ctrlKey) screen.pinch_wheel(event.offsetX, event.deltaY);
    else screen.wheel(event.offsetX, event.deltaX, event.deltaY, event.deltaMode, event.shiftKey, event.altKey);
    hover(event);
    page.draw();
  }, { passive: false });

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const fingers = screen.finger_down(event.pointerId, event.offsetX, event.offsetY);
    press = fingers > 1 ? null : { x: event.clientX, y: event.clientY, way: 0 }; // two neither drag nor tap
    canvas.setPointerCapture(event.pointerId);
    $("timeline").focus({ preventScroll: true });
  });
  canvas.addEventListener("pointermove", (event) => {
    screen.finger_moved(event.pointerId, event.offsetX, event.offsetY, !onChart);
    if (press) {
      const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
      press = { x: event.clientX, y: event.clientY, way: press.way + Math.abs(dx) + Math.abs(dy) };
      if (press.way >= CLICK_PX) {
        canvas.classList.add("dragging");
        screen.drag(dx, onChart ? 0 : dy);
      }
    }
    hover(event);
    page.draw();
  });

  const up = (/** @type {PointerEvent} */ event) => {
    screen.finger_up(event.pointerId);
    canvas.classList.remove("dragging");
    const isClick = press && press.way < (event.pointerType === "mouse" ? CLICK_PX : TAP_PX) && event.type === "pointerup";
    if (isClick && !onChart) page.select(screen.click(event.offsetX, event.offsetY));
    press = null;
    page.draw();
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => (screen.leave(), page.point(undefined, 0, 0), page.draw()));
  canvas.addEventListener("dblclick", (event) => (screen.double_click(event.offsetX), page.draw()));
}
