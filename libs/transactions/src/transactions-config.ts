import { integer, makeValidator, sensitive } from '@bascule/process';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { SignerConfig } from './signers.js';

/** Variables of every service that sends transactions. */
export const transactionsEnv = {
  TRANSACTION_REPLACE_AFTER_MS: integer({
    min: 1,
    default: 30_000,
    desc: 'age at which a transaction is replaced with higher fees',
  }),
  TRANSACTION_MAX_GAS: integer({
    min: 100_000,
    default: 10_000_000,
    desc: 'largest gas limit of a transaction',
  }),
};

const keys = makeValidator<readonly Hex[]>((input) => {
  const found = input.split(',').map((key) => key.trim().toLowerCase());
  if (!found.every((key) => /^0x[0-9a-f]{64}$/.test(key))) {
    throw new Error('expected 32 bytes of hex, several separated by commas');
  }
  if (new Set(found).size < found.length) throw new Error('expected each key once');
  return found as Hex[];
});

/** Variable with one private key or several, separated by commas. */
export const privateKeys = (spec: { desc: string; default?: readonly Hex[] }) =>
  sensitive(keys(spec));

/** The same keys on every chain. */
export function signersOf(
  chains: readonly { definition: { name: string } }[],
  privateKeys: readonly Hex[],
  retiredKeys: readonly Hex[],
): Record<string, SignerConfig> {
  const signers = {
    keys: privateKeys.map((key) => privateKeyToAccount(key)),
    retired: retiredKeys.map((key) => privateKeyToAccount(key)),
  };
  return Object.fromEntries(chains.map(({ definition }) => [definition.name, signers]));
}
