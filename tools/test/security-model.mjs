// Holds docs/security-model.md against the tests that it names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './commands.mjs';

const DOCUMENT = 'docs/security-model.md';
/** References: `Contract.test` for the contracts, `file: name of the test` for everything else. */
const REFERENCE =
  /`(\w+\.(?:test|testFuzz|invariant)_\w+|[\w./-]+(?:\.(?:\w+-)?spec|-contract)\.ts: [^`]+)`/g;

function solidityTests() {
  const folder = join(root, 'libs/solidity/test');
  const tests = new Set();
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('.t.sol')) continue;
    const source = readFileSync(join(folder, file), 'utf8');
    for (const [, contract, body] of source.matchAll(/^contract (\w+)[^{]*\{([\s\S]*?)^\}/gm)) {
      for (const [, test] of body.matchAll(/function ((?:test|testFuzz|invariant)_\w+)\(/g)) {
        tests.add(`${contract}.${test}`);
      }
    }
  }
  return tests;
}

/** Whether a Jest test has this name: a text followed by a function. */
function isJestTest(reference) {
  const [file, name] = reference.split(/: (.*)/s);
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  const tests = source.matchAll(/(?<!describe)\(\s*'([^'\n]+)',\s*(?:async )?\(/g);
  return tests.some(([, test]) => test === name);
}

/** Every line that is not a title, the head of a table, or the introduction of one. */
function statementsOf(text) {
  const lines = text.split('\n');
  return lines.filter((line, index) => {
    const isTableHead = line.startsWith('|') && /^\|[ |:-]+\|$/.test(lines[index + 1] ?? '');
    const isRule = /^\|[ |:-]+\|$/.test(line);
    return line.trim() !== '' && !/^#|:$/.test(line) && !isTableHead && !isRule;
  });
}

const nameOf = (statement) =>
  statement
    .replace(/^(?:- |\| *)/, '')
    .replace(/ \[`.*$/, '')
    .slice(0, 120);

/** Lists each statement with its problems. A document without statements is a problem too. */
export function checkSecurityModel(
  text = readFileSync(join(root, DOCUMENT), 'utf8'),
  tests = solidityTests(),
) {
  const statements = statementsOf(text);
  if (statements.length === 0) return [{ name: DOCUMENT, problems: ['makes no statement'] }];
  const exists = (name) => (name.includes(': ') ? isJestTest(name) : tests.has(name));
  return statements.map((statement) => {
    const named = [...statement.matchAll(REFERENCE)].map(([, name]) => name);
    const unknown = named.filter((name) => !exists(name));
    const problems =
      named.length === 0 ? ['names no test'] : unknown.map((name) => `no test ${name}`);
    return { name: nameOf(statement), problems };
  });
}
