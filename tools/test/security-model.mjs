// Holds docs/security-model.md against the tests that it names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './commands.mjs';

const DOCUMENT = 'docs/security-model.md';
const REFERENCE = /`(\w+)\.((?:test|testFuzz|invariant)_\w+)`/g;

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

/** Each statement, with what is wrong about it; a document without statements would be no model. */
export function checkSecurityModel(
  text = readFileSync(join(root, DOCUMENT), 'utf8'),
  tests = solidityTests(),
) {
  const statements = text.split('\n').filter((line) => line.startsWith('- '));
  if (statements.length === 0) return [{ name: DOCUMENT, problems: ['makes no statement'] }];
  return statements.map((statement) => {
    const named = [...statement.matchAll(REFERENCE)].map(
      ([, contract, test]) => `${contract}.${test}`,
    );
    const unknown = named.filter((name) => !tests.has(name));
    const problems =
      named.length === 0 ? ['names no test'] : unknown.map((name) => `no test ${name}`);
    return { name: statement.slice(2).replace(/ \[`.*$/, ''), problems };
  });
}
