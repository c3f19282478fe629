// The invariant of the contracts over a million calls, with another seed each time.
import { randomInt } from 'node:crypto';
import { run, say } from '../test/commands.mjs';
import { invariantCalls, readForgeReport } from '../test/forge-report.mjs';

const STEP = 'invariants';
const CALLS = 1_000_000;
/** Processes at the same time, each with a seed of its own. */
const SHARDS = 2;
const SHARD_CALLS = CALLS / SHARDS;
/** As in foundry.toml. */
const DEPTH = 50;

/** Checks the invariant after each call. */
export const FORGE_ENVIRONMENT = {
  FOUNDRY_INVARIANT_RUNS: String(SHARD_CALLS / DEPTH),
  FOUNDRY_INVARIANT_CHECK_INTERVAL: '1',
};

/** The seed to repeat a run with, else a random one. */
export function seedFrom({ INVARIANT_SEED: seed }) {
  if (seed === undefined) return randomInt(1, 2 ** 31);
  if (!/^[1-9]\d{0,9}$/.test(seed)) {
    throw new Error(`INVARIANT_SEED must be a whole number of at most 10 digits, not ${seed}`);
  }
  return Number(seed);
}

/** Whether a report has one invariant, which held for at least so many calls. */
export function isProven(suites, calls) {
  const { invariants, tooFew } = invariantCalls(suites, calls);
  return invariants.length === 1 && tooFew.length === 0 && invariants[0].failure === undefined;
}

export async function proveInvariants() {
  const seed = seedFrom(process.env);
  say(STEP, `INVARIANT_SEED=${seed} repeats this run`);
  await forge('build');
  const shards = Array.from({ length: SHARDS }, (_, shard) => proveShard(seed + shard));
  const held = (await Promise.all(shards)).filter(Boolean).length;
  return { passed: held, failed: SHARDS - held };
}

async function proveShard(seed) {
  const { output } = await forge(
    ...['test', '--json', '--match-test', '^invariant_', '--fuzz-seed', String(seed)],
  );
  const suites = readForgeReport(output);
  const { invariants, tooFew } = invariantCalls(suites, SHARD_CALLS);
  for (const { name, calls, failure } of invariants) {
    const outcome = failure === undefined ? '✓' : '✗';
    say(STEP, `${outcome} ${name}: ${calls} calls with seed ${seed} ${failure ?? ''}`);
  }
  for (const { name } of tooFew) say(STEP, `✗ ${name}: fewer than ${SHARD_CALLS} calls`);
  return isProven(suites, SHARD_CALLS);
}

const forge = (...args) =>
  run(STEP, process.execPath, ['libs/solidity/scripts/forge.mjs', ...args], {
    capture: true,
    env: FORGE_ENVIRONMENT,
  });
