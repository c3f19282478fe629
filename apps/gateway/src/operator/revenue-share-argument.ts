import { AmountError, formatAmount, parseAmount } from '@bascule/amounts';
import { ordinaryAddressProblem } from '@bascule/chain';
import {
  MAX_REVENUE_SHARE_PCT,
  PCT_DECIMALS,
  type RevenueShareReceiver,
  type RevenueShareState,
} from '@bascule/contracts';
import { UsageError } from '@bascule/operator-commands';
import { getAddress, isAddress } from 'viem';
import { MAX_RECEIVERS } from './limits.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** `CHAIN:ADDRESS=PCT`. */
const RECEIVER = /^([a-z]+):(0x[0-9a-fA-F]{40})=([0-9.]+)$/;

/** @throws UsageError */
export function revenueShareName(text: string): string {
  if (NAME.test(text)) return text;
  throw new UsageError(
    '--name must be 1 to 64 letters, digits, dots, hyphens and underscores, and begin with a letter or digit',
  );
}

/**
 * Parses `CHAIN:ADDRESS=PCT,…`.
 * @throws UsageError
 */
export function revenueShareReceivers(
  text: string,
  chains: ReadonlySet<string>,
): RevenueShareState['receivers'] {
  const receivers = text.split(',').map((item) => receiver(item.trim(), chains));
  for (const chain of new Set(receivers.map((each) => each.chain))) {
    refuseTooMuch(
      chain,
      receivers.filter((each) => each.chain === chain),
    );
  }
  return receivers;
}

function receiver(item: string, chains: ReadonlySet<string>): RevenueShareReceiver {
  const [, chain = '', address = '', pct = ''] = RECEIVER.exec(item) ?? [];
  if (chain === '') throw new UsageError(`expected CHAIN:ADDRESS=PCT, got ${item}`);
  if (!chains.has(chain)) throw new UsageError(`unknown chain: ${chain}`);
  const problem = isAddress(address, { strict: false }) ? ordinaryAddressProblem(address) : null;
  if (problem !== null) throw new UsageError(`${item}: ${problem}`);
  const parts = partsOf(pct, item);
  if (parts === 0n) throw new UsageError(`${item}: the percentage must be greater than zero`);
  return { chain, address: getAddress(address), pct: formatAmount(parts, PCT_DECIMALS) };
}

function refuseTooMuch(chain: string, receivers: readonly RevenueShareReceiver[]): void {
  if (receivers.length > MAX_RECEIVERS) {
    throw new UsageError(`at most ${MAX_RECEIVERS} receivers on ${chain}, got ${receivers.length}`);
  }
  if (new Set(receivers.map(({ address }) => address)).size < receivers.length) {
    throw new UsageError(`a receiver occurs twice on ${chain}`);
  }
  const total = receivers.reduce((sum, { pct }) => sum + parseAmount(pct, PCT_DECIMALS), 0n);
  if (total > parseAmount(MAX_REVENUE_SHARE_PCT, PCT_DECIMALS)) {
    throw new UsageError(
      `at most ${MAX_REVENUE_SHARE_PCT} % in total on ${chain}, got ${formatAmount(total, PCT_DECIMALS)} %`,
    );
  }
}

function partsOf(pct: string, item: string): bigint {
  try {
    return parseAmount(pct, PCT_DECIMALS);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new UsageError(
      `${item}: expected a percentage with at most ${PCT_DECIMALS} decimals, got ${pct}`,
      { cause: error },
    );
  }
}
