//! Fingers: two on the canvas zoom around what is between them.
//!
//! Knows nothing of: what one finger does, which drags and taps like a mouse.

use wasm_bindgen::prelude::*;

use super::screen::Screen;

/// The fingers that are down: which, and where on the canvas.
#[derive(Default)]
pub struct Fingers {
    down: Vec<(i32, f64, f64)>,
}

/// Two fingers: what is in the middle of them, and how far apart they are.
struct Pair {
    x: f64,
    y: f64,
    apart: f64,
}

impl Fingers {
    fn pair(&self) -> Option<Pair> {
        let [(_, ax, ay), (_, bx, by)] = self.down.as_slice() else { return None };
        Some(Pair { x: (ax + bx) / 2.0, y: (ay + by) / 2.0, apart: (ax - bx).hypot(ay - by) })
    }
}

#[wasm_bindgen]
impl Screen {
    /// A finger, or the mouse, went down. Gives how many are down.
    pub fn finger_down(&mut self, id: i32, x: f64, y: f64) -> usize {
        self.finger_up(id);
        self.fingers.down.push((id, x, y));
        self.fingers.down.len()
    }

    /// A finger moved. Two of them zoom, and pan sideways; `across` when they can also pan up and down.
    pub fn finger_moved(&mut self, id: i32, x: f64, y: f64, across: bool) {
        let before = self.fingers.pair();
        let Some(finger) = self.fingers.down.iter_mut().find(|finger| finger.0 == id) else { return };
        (finger.1, finger.2) = (x, y);
        if let Some((before, now)) = before.zip(self.fingers.pair()) {
            let dy = if across { now.y - before.y } else { 0.0 };
            self.pinch(before.x, now.apart / before.apart, now.x - before.x, dy);
        }
    }

    /// A finger went up, or was taken away.
    pub fn finger_up(&mut self, id: i32) {
        self.fingers.down.retain(|finger| finger.0 != id);
    }
}
