//! The text of the header.

use super::collect::{Exported, Section, TypeDeclaration};

/// Largest number of columns of the header.
const WIDTH: usize = 100;

const HEAD: &str = "\
/*
 * Pliant: real-time deformable bodies.
 *
 * SI units: metres, kilograms, seconds, newtons, pascals. Right-handed axes, y up; world
 * coordinates. Forces of a tool are those on the tool; those of supports and grabs act on the body.
 *
 * Every function gives a status. Where that is not PLIANT_STATUS_OK, pliant_last_error has the words,
 * a thread for itself. Handles are numbers in structures: copy them, free each once. A null handle
 * (zeros), one that was freed and one of another kind are errors; so are null pointers. What is
 * written through a pointer is left as it is where a call fails, but for handles, which become null.
 *
 * Text is UTF-8 and ends with NUL. Buffers are those of the caller, and are not kept.
 *
 * Calls may come from any thread. Those that use the same world wait for each other.
 *
 * Written by `cargo xtask header` from ffi/src: do not edit.
 */

#ifndef PLIANT_H
#define PLIANT_H

#include <stddef.h>
#include <stdint.h>
";

/// The header of the exported items.
pub fn header(exported: &Exported) -> String {
    let mut text = String::from(HEAD);
    for constant in &exported.constants {
        text.push('\n');
        comment(&mut text, "", &constant.docs);
        text.push_str(&format!("#define {} {}\n", constant.name, constant.text));
    }
    text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for declaration in &exported.enums {
        enumeration(&mut text, declaration);
    }
    for declaration in &exported.structures {
        structure(&mut text, declaration);
    }
    for callback in &exported.callbacks {
        text.push('\n');
        comment(&mut text, "", &callback.docs);
        text.push_str(&format!("typedef {};\n", callback.text));
    }
    for section in &exported.sections {
        functions(&mut text, section);
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    text
}

/// An enum, as a type of 32 bits on every machine and its values.
fn enumeration(text: &mut String, declaration: &TypeDeclaration) {
    text.push('\n');
    comment(text, "", &declaration.docs);
    text.push_str(&format!("typedef int32_t {};\nenum {{\n", declaration.name));
    for (k, (docs, member)) in declaration.members.iter().enumerate() {
        comment(text, "    ", docs);
        let comma = if k + 1 < declaration.members.len() {
            ","
        } else {
            ""
        };
        text.push_str(&format!("    {member}{comma}\n"));
    }
    text.push_str("};\n");
}

fn structure(text: &mut String, declaration: &TypeDeclaration) {
    text.push('\n');
    comment(text, "", &declaration.docs);
    text.push_str(&format!("typedef struct {} {{\n", declaration.name));
    for (docs, member) in &declaration.members {
        comment(text, "    ", docs);
        text.push_str(&format!("    {member};\n"));
    }
    text.push_str(&format!("}} {};\n", declaration.name));
}

fn functions(text: &mut String, section: &Section) {
    text.push_str("\n/* ---- ");
    text.push_str(section.docs.first().map_or("", String::as_str));
    text.push_str(" ---- */\n");
    let rest: Vec<String> = section.docs.iter().skip(2).cloned().collect();
    if !rest.is_empty() {
        text.push('\n');
        comment(text, "", &rest);
    }
    for function in &section.functions {
        text.push('\n');
        comment(text, "", &function.docs);
        let arguments = match function.arguments.is_empty() {
            true => "void".to_string(),
            false => function.arguments.join(", "),
        };
        let line = format!("{}({arguments});", function.head);
        if line.len() <= WIDTH {
            text.push_str(&line);
        } else {
            let arguments = function.arguments.join(",\n    ");
            text.push_str(&format!("{}(\n    {arguments});", function.head));
        }
        text.push('\n');
    }
}

/// A comment of these lines, joined and wrapped.
fn comment(text: &mut String, indent: &str, docs: &[String]) {
    let words = docs.join(" ");
    let one = format!("{indent}/** {words} */");
    if one.len() <= WIDTH {
        text.push_str(&one);
        text.push('\n');
        return;
    }
    text.push_str(&format!("{indent}/**\n"));
    let mut line = format!("{indent} *");
    for word in words.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = format!("{indent} *");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&format!("{line}\n{indent} */\n"));
}
