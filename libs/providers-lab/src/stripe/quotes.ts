import { randomUUID } from 'node:crypto';
import { tokenText } from '../server/amounts.js';
import type { LabAnswer } from '../server/lab-server.js';
import { refused } from './errors.js';
import { priceOf } from './pricing.js';
import { networkKey, type StripeToken } from './sessions.js';

/** Units of each fiat for a US dollar. */
export const PER_USD: Readonly<Record<string, number>> = { usd: 1, eur: 0.92, gbp: 0.79 };

const NETWORKS = ['avalanche', 'base', 'bitcoin', 'ethereum', 'optimism', 'polygon', 'solana'];
const DEFAULT_AMOUNT = '100';
const MAX_AMOUNT = 30_000;

interface Terms {
  tokens: readonly StripeToken[];
  baseKey: string;
  feeShare: number;
}

/** Answers a request for quotes: the tokens of each network, for the source amount. */
export function quotes(query: URLSearchParams, { tokens, baseKey, feeShare }: Terms): LabAnswer {
  const fiat = query.get('source_currency') ?? 'usd';
  const perUsd = PER_USD[fiat];
  if (perUsd === undefined) return refused(`Invalid source_currency: ${fiat}`);
  const sourceAmount = Number(query.get('source_amount') ?? DEFAULT_AMOUNT);
  if (!(sourceAmount > 0 && sourceAmount <= MAX_AMOUNT)) {
    return refused('The source amount is not valid.', { code: 'invalid_source_amount' });
  }
  const price = priceOf(sourceAmount, feeShare);
  const isAsked = (name: string, value: string): boolean => {
    const asked = query.getAll(`${name}[]`);
    return asked.length === 0 || asked.includes(value);
  };
  const item = ({ currency, network, decimals, usdPrice }: StripeToken) => ({
    id: randomUUID(),
    destination_currency: currency,
    destination_amount: tokenText(price.sourceAmount / (usdPrice * perUsd), decimals),
    destination_network: network,
    fees: {
      network_fee_monetary: price.networkFee.toFixed(2),
      transaction_fee_monetary: price.transactionFee.toFixed(2),
    },
    source_total_amount: price.total.toFixed(2),
  });
  const bucket = (network: string) =>
    isAsked('destination_networks', network)
      ? tokens
          .filter((token) => token.network === network)
          .filter(({ currency }) => isAsked('destination_currencies', currency))
          .map(item)
      : null;
  return {
    json: {
      id: randomUUID(),
      object: 'crypto.onramp.quotes',
      rate_fetched_at: Date.now() / 1_000,
      livemode: false,
      source_currency: fiat,
      source_amount: price.sourceAmount.toFixed(2),
      destination_amount: null,
      destination_network_quotes: Object.fromEntries(
        NETWORKS.map((network) => [networkKey(network, baseKey), bucket(network)]),
      ),
    },
  };
}
