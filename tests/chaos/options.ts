import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  seed: number;
  kills: number;
  payments: number;
}

const SHORT = { kills: 15, payments: 60 };
const LONG_KILLS = 500;

/**
 * Reads `--kills`, `--payments`, `--long`, `--seed` and the variable `CHAOS_SEED`.
 * @throws Error naming the option that is not a whole number
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
  // The short form determines the number of payments per kill.
  const payments = Math.ceil((Math.max(kills, SHORT.kills) * SHORT.payments) / SHORT.kills);
  return {
    seed: whole('the seed', values.seed),
    kills,
    payments: whole('--payments', values.payments ?? String(payments)),
  };
}

function whole(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
