// The regular expressions of the islands and scripts, and how long each takes (test_regular_expressions.py):
//   node expressions.mjs find FOLDER      those in the files of FOLDER/files.json, as JSON
//   node expressions.mjs measure FOLDER   milliseconds of a processor of each in FOLDER/found.json, over its texts

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [what, folder] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));

function find(files) {
  const ts = createRequire(`${process.cwd()}/islands/package.json`)("typescript");
  const found = [];
  for (const file of files) {
    const add = (node, pattern, flags = "") => {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${file}:${line}`, pattern, flags });
    };
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        add(node, node.text.slice(1, end), node.text.slice(end + 1));
      } else if (ts.isIdentifier(node) && node.text === "RegExp") {
        const given = node.parent.arguments?.[0];
        add(node, given && ts.isStringLiteralLike(given) ? given.text : null);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function measure(found) {
  const times = {};
  for (const { place, pattern, flags, texts } of found) {
    const everywhere = new RegExp(pattern, [...new Set(`${flags}g`)].join(""));
    const timed = (text) => {
      const start = process.cpuUsage();
      text.replace(everywhere, "");
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    const slowest = texts.map((text) => [timed(text), text]).sort(([one], [other]) => other - one);
    const long = slowest.slice(0, 3).map(([took, text]) => {
      const grown = took > 50 ? text : eightfold(text);
      return Math.min(timed(grown), timed(grown), timed(grown));
    });
    times[`${place}: ${pattern}`] = Math.max(...long);
  }
  return times;
}

// Its middle, which repeats, comes more often.
function eightfold(text) {
  const [start, end] = [Math.floor(text.length / 4), Math.floor(text.length / 4) * 3];
  return text.slice(0, start) + text.slice(start, end).repeat(15) + text.slice(end);
}

process.stdout.write(JSON.stringify(what === "find" ? find(read("files.json")) : measure(read("found.json"))));
