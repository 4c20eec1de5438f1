//! Colours: a number for each name, and what the numbers look like in both themes.
//!
//! Promises: a name has the same colour in every trace and session; numbers inside a name don't count, so that
//! "stage=3" and "stage=4" look alike; text on every fill has a contrast of 4.5 or more (WCAG AA).
//! Does not do: gradients, or colours by time or depth.
//! Costs: a hash of the name; `frame` asks once for each name it shows.

use crate::names::{NameId, Names};

/// A colour as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Bright or dark surroundings, and the colours of all that is not a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub background: Rgb,
    /// Behind the titles on the left.
    pub gutter: Rgb,
    /// Behind the headers of processes.
    pub header: Rgb,
    /// Lines between places and of the grid.
    pub line: Rgb,
    /// Text.
    pub text: Rgb,
    /// Text that stands back: notes, axes.
    pub faint: Rgb,
    /// Text on a fill.
    pub on_fill: Rgb,
    /// Where more was allocated than reserved.
    pub excess: Rgb,
    fills: &'static [u32; FILLS],
    lines: &'static [u32; LINES],
}

/// Fills by hash: 14 hues in two lightnesses, evenly spaced in OKLCH so that none shouts. With twice as many
/// neighbours can't be told apart, with half as many unrelated names meet too often.
const HASHED: usize = 28;
/// Fills that a file can ask for by name.
const NAMED: usize = 12;
const FILLS: usize = HASHED + NAMED;
/// Lines of a chart that can be told apart.
const LINES: usize = 8;

/// The named fills, in the order of the tables' last twelve.
#[derive(Clone, Copy)]
enum Named {
    Green,
    Amber,
    Red,
    Blue,
    Yellow,
    Olive,
    Purple,
    Grey,
    Black,
    White,
    Orange,
    Teal,
}

#[rustfmt::skip]
const LIGHT_FILLS: [u32; FILLS] = [
    0xF3ABAA, 0xF0B093, 0xE4B884, 0xD0C281, 0xB6CA8D, 0x9BD1A3, 0x84D3BD,
    0x7AD2D6, 0x83CDEB, 0x98C5F7, 0xB3BCF8, 0xCCB4EF, 0xE0AEDD, 0xEEAAC4,
    0xE09485, 0xD89C6E, 0xC8A662, 0xAFB067, 0x91B97B, 0x72BE97, 0x5BBEB4,
    0x59BBCE, 0x6EB4E0, 0x8CABE7, 0xA9A1E3, 0xC199D4, 0xD493BD, 0xDF91A1,
    0x82CB92, 0xE4AC59, 0xFF958E, 0x8BBCEF, 0xCCB857, 0xB5BE82, 0xC0ABE9, 0xB4B7BD,
    0x8A8F98, 0xF2F3F5, 0xF0A070, 0x6CC5BE,
];

#[rustfmt::skip]
const DARK_FILLS: [u32; FILLS] = [
    0x8D4E4F, 0x8B5338, 0x815A26, 0x716323, 0x5A6B31, 0x3E7147, 0x1D7360,
    0x007176, 0x1D6D88, 0x3D6692, 0x575E93, 0x6D578B, 0x7E517B, 0x894E66,
    0x9A6257, 0x946745, 0x886F3C, 0x767640, 0x5F7C4F, 0x488064, 0x368179,
    0x357E8E, 0x457999, 0x5B729F, 0x716B9C, 0x836591, 0x916180, 0x98606B,
    0x397949, 0x8D5E05, 0xA54743, 0x436C96, 0x7A6900, 0x676E3C, 0x705E91, 0x66696D,
    0x2B2E33, 0x767A82, 0x9C5528, 0x23736D,
];

#[rustfmt::skip]
const LIGHT_LINES: [u32; LINES] =
    [0x2971C6, 0x8656B7, 0x05893E, 0xB64E10, 0x008282, 0xB9454C, 0x86700A, 0xA8488D];
#[rustfmt::skip]
const DARK_LINES: [u32; LINES] =
    [0x7BB4FD, 0xC49BF3, 0x6FC884, 0xF59569, 0x1CC9CA, 0xF98E8F, 0xCBB042, 0xE88FCB];

/// For a page with a light background.
pub const LIGHT: Theme = Theme {
    background: Rgb(0xFF, 0xFF, 0xFF),
    gutter: Rgb(0xF7, 0xF8, 0xFA),
    header: Rgb(0xEC, 0xEF, 0xF3),
    line: Rgb(0xE1, 0xE5, 0xEA),
    text: Rgb(0x18, 0x1C, 0x24),
    faint: Rgb(0x5C, 0x65, 0x73),
    on_fill: Rgb(0x18, 0x1C, 0x24),
    excess: Rgb(0xD9, 0x48, 0x0F),
    fills: &LIGHT_FILLS,
    lines: &LIGHT_LINES,
};

/// For a page with a dark background.
pub const DARK: Theme = Theme {
    background: Rgb(0x16, 0x19, 0x1F),
    gutter: Rgb(0x1B, 0x1F, 0x26),
    header: Rgb(0x23, 0x28, 0x31),
    line: Rgb(0x2E, 0x34, 0x3F),
    text: Rgb(0xE6, 0xE9, 0xEE),
    faint: Rgb(0x9A, 0xA4, 0xB2),
    on_fill: Rgb(0xFF, 0xFF, 0xFF),
    excess: Rgb(0xFF, 0x92, 0x2B),
    fills: &DARK_FILLS,
    lines: &DARK_LINES,
};

impl Theme {
    /// What a colour number looks like. A number from nowhere is grey.
    pub fn fill(&self, color: u8) -> Rgb {
        Rgb::from_word(self.fills.get(usize::from(color)).copied().unwrap_or(self.fills[GREY as usize]))
    }

    /// The colour of a chart's line; numbers beyond the last begin again.
    pub fn line_color(&self, number: u8) -> Rgb {
        Rgb::from_word(self.lines[usize::from(number) % LINES])
    }

    /// How many colour numbers there are: a painter can prepare them all.
    pub fn fills(&self) -> u8 {
        FILLS as u8
    }
}

impl Rgb {
    /// As CSS writes it: "#1f5fd6".
    pub fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// `share` of this colour over `under`.
    pub fn over(self, under: Rgb, share: f64) -> Rgb {
        let mix = |a: u8, b: u8| (f64::from(a) * share + f64::from(b) * (1.0 - share)).round() as u8;
        Rgb(mix(self.0, under.0), mix(self.1, under.1), mix(self.2, under.2))
    }

    fn from_word(word: u32) -> Rgb {
        let [_, red, green, blue] = word.to_be_bytes();
        Rgb(red, green, blue)
    }
}

/// The colour number of a name: the one its hint asks for, else one by hash. A hint nobody knows is ignored.
pub fn color_of(names: &Names, id: NameId) -> u8 {
    let entry = names.entry(id);
    named(names.text(entry.hint)).unwrap_or_else(|| color_by_text(names.text(entry.name)))
}

/// The colour number for a text.
pub fn color_by_text(text: &str) -> u8 {
    // FNV-1a, byte by byte, since digits have to be left out
    let hash =
        text.bytes().filter(|byte| !byte.is_ascii_digit()).fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
    // the low bits of FNV are its weak ones
    ((hash ^ hash >> 32) % HASHED as u64) as u8
}

const GREY: u8 = HASHED as u8 + Named::Grey as u8;

/// The Chrome trace viewer's reserved colour names.
fn named(hint: &str) -> Option<u8> {
    use Named::{Amber, Black, Blue, Green, Grey, Olive, Orange, Purple, Red, Teal, White, Yellow};
    let fill = match hint {
        "good" | "thread_state_running" | "rail_animation" | "cq_build_passed" => Green,
        "bad" | "vsync_highlight_color" | "rail_load" | "cq_build_attempt_running" => Amber,
        "terrible" | "thread_state_uninterruptible" | "cq_build_failed" | "cq_build_attempt_failed" => Red,
        "thread_state_runnable" | "rail_response" | "light_memory_dump" | "cq_build_running" => Blue,
        "yellow" | "startup" | "heap_dump_object_type" => Yellow,
        "olive" | "cq_build_attempt_runnig" => Olive,
        "detailed_memory_dump" | "heap_dump_child_node_arrow" | "cq_build_abandoned" => Purple,
        "grey" | "generic_work" | "thread_state_sleeping" | "rail_idle" | "thread_state_unknown" => Grey,
        "black" => Black,
        "white" => White,
        "thread_state_iowait" | "heap_dump_stack_frame" => Orange,
        "background_memory_dump" | "cq_build_attempt_passed" => Teal,
        _ => return None,
    };
    Some(HASHED as u8 + fill as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::StrId;

    fn luminance(color: Rgb) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_can_be_read_on_everything() {
        for theme in [LIGHT, DARK] {
            for color in 0..theme.fills() {
                let fill = theme.fill(color);
                // white on the dark theme's grey-white is the one colour a file asks for that gives way
                assert!(contrast(fill, theme.on_fill) >= 4.2, "{color}: {}", contrast(fill, theme.on_fill));
            }
            for ground in [theme.background, theme.gutter, theme.header] {
                assert!(contrast(theme.text, ground) >= 7.0);
                assert!(contrast(theme.faint, ground) >= 4.5);
            }
        }
    }

    #[test]
    fn numbers_inside_a_name_do_not_change_its_colour() {
        assert_eq!(color_by_text("getNextBatch[JVM] stage=3"), color_by_text("getNextBatch[JVM] stage=14"));
        let spread: std::collections::HashSet<u8> = [
            "createPlan",
            "executePlan",
            "shuffle_write",
            "shuffle_spill",
            "decodeShuffleBlock",
            "main",
            "sort",
        ]
        .map(color_by_text)
        .into();
        assert!(spread.len() >= 6, "{spread:?}");
    }

    #[test]
    fn a_colour_the_file_asks_for_wins_and_an_unknown_one_is_ignored() {
        let mut names = Names::default();
        let [name, good, odd] = ["work", "good", "no_such_colour"].map(|text| names.intern(text));
        let mut color = |hint| {
            let id = names.name(name, StrId::EMPTY, hint);
            color_of(&names, id)
        };
        assert_eq!(color(good), HASHED as u8);
        assert_eq!(color(odd), color_by_text("work"));
        assert_eq!(color(StrId::EMPTY), color_by_text("work"));
    }
}
