import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  seed: number;
  kills: number;
  payments: number;
}

export const SHORT = { kills: 50, payments: 200 };
const LONG_KILLS = 500;

/**
 * From the command line (`--kills`, `--payments`, `--long`, `--seed`) and `CHAOS_SEED`.
 * @throws Error naming what cannot be understood
 */
export function parseOptions(args: string[], environment: NodeJS.ProcessEnv): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string' },
      payments: { type: 'string' },
      long: { type: 'boolean', default: false },
      seed: { type: 'string', default: environment['CHAOS_SEED'] ?? String(randomInt(2 ** 31)) },
    },
  });
  const kills = whole('--kills', values.kills ?? String(values.long ? LONG_KILLS : SHORT.kills));
  // As many payments for each kill as in the short form.
  const payments = Math.ceil((Math.max(kills, SHORT.kills) * SHORT.payments) / SHORT.kills);
  return {
    seed: whole('the seed', values.seed),
    kills,
    payments: whole('--payments', values.payments ?? String(payments)),
  };
}

function whole(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} is to be a whole number, not ${text}`);
  return Number(text);
}
