// Fuzzes the API of a stack of its own by schemathesis, from the OpenAPI document that the stack serves.
import { join } from 'node:path';
import { run, say } from '../test/commands.mjs';
import { pythonPrograms } from './python.mjs';

const STEP = 'api-fuzz';
const VERSION = '4.32.5';
const folder = join(import.meta.dirname, 'api-fuzz');

/** Examples of each operation in the fuzzing phase. */
const EXAMPLES = 60;
/** Runs with the same seed send the same requests; `FUZZ_SEED` chooses another. */
const SEED = '1';

/** The seed to run with. */
export function fuzzSeedFrom({ FUZZ_SEED: seed = SEED }) {
  if (!/^\d{1,9}$/.test(seed)) {
    throw new Error(`FUZZ_SEED must be a whole number of at most 9 digits, not ${seed}`);
  }
  return seed;
}

export async function fuzzApi() {
  const seed = fuzzSeedFrom(process.env);
  const schemathesis = join(pythonPrograms('schemathesis', VERSION), 'schemathesis');
  say(STEP, `FUZZ_SEED=${seed} repeats this run`);
  const { code } = await run(
    STEP,
    process.execPath,
    [
      ...['--experimental-transform-types', '--disable-warning=ExperimentalWarning'],
      ...['--import', './tools/source-loader.mjs', 'tests/fuzz/main.ts', schemathesis],
      ...['--config-file', join(folder, 'schemathesis.toml'), 'run', '--no-color'],
      ...['--seed', seed, '--max-examples', String(EXAMPLES), '--phases'],
      ...['examples,coverage,fuzzing', '{url}/openapi.json'],
    ],
    { env: { SCHEMATHESIS_HOOKS: join(folder, 'hooks.py') } },
  );
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
