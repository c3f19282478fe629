// `npm run openapi` writes the description of the API; with `release`, also the released copy of its first number.
import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeApi } from './description.js';
import { VERSION } from './overview.js';

const { apiChanges, releasedFile } = (await import(
  // @ts-expect-error scripts without types
  './api-changes.mjs'
)) as {
  releasedFile: (version: string) => string;
  apiChanges: () => Promise<{ problems: string[] }>;
};

const root = join(import.meta.dirname, '../..');
const file = join(root, 'docs/api/openapi.json');
const options = await resolveConfig(file);
const json = JSON.stringify(await describeApi(root));
const text = await format(json, { ...options, parser: 'json' });
writeFileSync(file, text);

if (process.argv[2] === 'release') {
  const released = releasedFile(VERSION);
  const { problems } = await apiChanges();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
  if (problems.length === 0) {
    mkdirSync(dirname(released), { recursive: true });
    writeFileSync(released, text);
  }
}
