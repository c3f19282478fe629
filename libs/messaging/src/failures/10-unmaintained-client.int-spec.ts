import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const CLIENT = /(?:from|import\(|require\()\s*'kafkajs(?:\/[^']*)?'/;

function* sourcesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'generated'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesOf(path);
    else if (/\.(ts|mts|mjs)$/.test(entry.name)) yield path;
  }
}

describe('failure 10: the client is unmaintained', () => {
  // Protection: the port in transport/transport.ts, and the contract suite that transport/kafka/kafka-transport.int-spec.ts
  // runs for this client on the real broker, as it would for the next one.
  it('is imported by one folder only, behind the messaging port', () => {
    const users = ['apps', 'libs', 'tools']
      .flatMap((folder) => [...sourcesOf(join(ROOT, folder))])
      .filter((path) => CLIENT.test(readFileSync(path, 'utf8')))
      .map((path) => relative(ROOT, path));
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((path) => !path.startsWith('libs/messaging/src/transport/kafka/'))).toEqual(
      [],
    );
  });
});
