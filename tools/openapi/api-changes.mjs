// Refuses a change of the API that breaks clients of the released description, unless the version's first number rises.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CASES } from './api-change-cases.mjs';
import { breakingChanges } from './breaking-changes.mjs';
import { ensureOasdiff } from './oasdiff.mjs';

const folder = join(import.meta.dirname, '../../docs/api');
const current = join(folder, 'openapi.json');
const RELEASE = 'run `npm run openapi -- release`';

/** Released description with the same first number as a version. */
export const releasedFile = (version) =>
  join(folder, `released/openapi-${version.split('.')[0]}.json`);

/** Compares the current description with the released one. */
export async function apiChanges() {
  ensureOasdiff();
  const released = releasedFile(read(current).info.version);
  return { released, problems: existsSync(released) ? breakingChanges(released, current) : [] };
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Checks the description, and that a change of a copy is found when it breaks clients. */
export async function checkApiChanges() {
  const { released, problems } = await apiChanges();
  const isReleased = existsSync(released);
  const own = isReleased ? problems : [`${released} is missing: ${RELEASE}`];
  const scratch = mkdtempSync(join(tmpdir(), 'api-changes-'));
  try {
    const checked = CASES.map(([name, isBreaking, change]) => {
      const api = read(current);
      change(api);
      const file = join(scratch, 'changed.json');
      writeFileSync(file, JSON.stringify(api));
      const found = breakingChanges(current, file);
      const ok = found.length > 0 === isBreaking;
      return { name: `${isBreaking ? 'finds' : 'accepts'} ${name}`, ok, problems: found };
    });
    const hint =
      'a breaking change needs a new first number of VERSION in tools/openapi/overview.ts';
    return [
      { name: `compatible with the released API (${hint})`, ok: own.length === 0, problems: own },
      ...checked,
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
