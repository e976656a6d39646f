// rp2040js is found in the folder that the Python side names, and its core is made faster while it is read: the chain of
// some eighty comparisons by which it finds out what an instruction is becomes one look into a table of all opcodes.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

let folder;

export function initialize(data) {
  folder = data.rp2040js;
}

export async function resolve(specifier, context, next) {
  if (specifier !== 'rp2040js' && !specifier.startsWith('rp2040js/')) return next(specifier, context);
  const inside = specifier.slice('rp2040js'.length) || '/index.js';
  return { url: pathToFileURL(path.join(folder, 'dist', 'esm', inside)).href, shortCircuit: true };
}

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/cortex-m0-core.js')) return loaded;
  return { ...loaded, source: tabled(loaded.source.toString()) };
}

const CHAIN = /^ {8}(?:else )?if \(/;

function tabled(source) {
  const lines = source.split('\n');
  const method = lines.findIndex((line) => line === '    executeInstruction() {');
  // The chain begins with the first comparison of `opcode` that has an `else if` behind it.
  const first = lines.findIndex((line, i) => i > method && /^ {8}if \(opcode /.test(line));
  const branches = [];
  let at = first;
  for (;;) {
    while (lines[at].trim().startsWith('//')) at++;
    const isElse = lines[at] === '        else {';
    if (!isElse && !CHAIN.test(lines[at])) break;
    let condition = lines[at].trim();
    while (!condition.endsWith(') {') && !isElse) condition += ` ${lines[++at].trim()}`;
    condition = isElse ? 'true' : condition.replace(/^(?:else )?if \(/, '').replace(/\) \{$/, '');
    const body = [];
    for (at++; lines[at] !== '        }'; at++) body.push(lines[at]);
    at++;
    branches.push({ condition, body });
    if (isElse) break;
  }
  if (branches.length < 70) throw new Error(`rp2040js has another core than 1.4.1: ${branches.length} branches`);
  const cases = branches.flatMap(({ body }, i) => [`case ${i}: {`, ...body, 'break; }']);
  const switched = ['switch (wideInstruction ? branchOf(opcode, opcode2) : BRANCHES[opcode]) {', ...cases, '}'];
  const chain = branches.map(({ condition }, i) => `if (${condition}) return ${i};`).join('\n');
  const table = `function branchOf(opcode, opcode2) {\n${chain}\n}\nconst BRANCHES = Uint8Array.from({ length: 65536 }, (_, opcode) => branchOf(opcode, 0));\n`;
  const text = [...lines.slice(0, first), ...switched, ...lines.slice(at)].join('\n');
  return text.replace('export class CortexM0Core', `${table}export class CortexM0Core`);
}
