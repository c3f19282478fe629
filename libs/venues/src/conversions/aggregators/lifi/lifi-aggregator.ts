import { GuardedClient, unexpectedStatus } from '@bascule/json-client';
import { formatUnits, getAddress, isAddress, type Address } from 'viem';
import {
  MAX_CONCURRENT,
  type AggregatorAdapter,
  type AggregatorConnection,
} from '../aggregator-connection.js';
import { ASKED_SLIPPAGE_BPS, type Aggregator, type ToldSwap } from '../aggregator.js';
import { AnswerReader } from '../answer-reader.js';
import { readStep, type AskedSwap } from './step.js';

const NOT_FOUND = 404;
/** `NoQuoteError` and `NotFoundError`; numbers in answers have become their text. */
const NO_ROUTE_CODES = ['1002', '1003'];
const NO_ROUTE_OF_A_TOOL = 'NO_QUOTE';
/** Lists have thousands of tokens with their descriptions. */
const LIST = { maxResponseBytes: 16 * 1024 * 1024, timeoutMs: 10_000, maxConcurrent: 4 };

/** API of LI.FI, for swaps on one chain. */
export const lifi: AggregatorAdapter = {
  needsKey: false,
  create(connection): Aggregator {
    const swaps = clientOf(connection, { maxConcurrent: MAX_CONCURRENT });
    const lists = clientOf(connection, LIST);
    const ask = async (path: string, asked: AskedSwap): Promise<ToldSwap | null> => {
      const { status, body } = await swaps.get(`${path}?${queryOf(asked).toString()}`);
      if (status === NOT_FOUND && tellsNoRoute(body)) return null;
      if (status !== 200) throw unexpectedStatus(connection.name, status);
      return readStep(connection.name, asked, body);
    };
    return {
      adapter: 'lifi',
      swap: (request) => ask('quote', { ...request, amountOut: null }),
      swapForOutput: (request) => ask('quote/toAmount', { ...request, amountIn: null }),
      async tokens(chainId) {
        const { status, body } = await lists.get(`tokens?chains=${chainId}`);
        if (status !== 200) throw unexpectedStatus(connection.name, status);
        const byChain = AnswerReader.of(body, 'answer').object('tokens');
        return byChain.list(String(chainId)).flatMap(addressIn);
      },
    };
  },
};

const clientOf = (
  { name, baseUrl, apiKey, timeoutMs }: AggregatorConnection,
  bounds: { maxConcurrent: number; timeoutMs?: number; maxResponseBytes?: number },
): GuardedClient =>
  new GuardedClient({
    peer: name,
    baseUrl,
    ...(apiKey !== undefined && { headers: { 'x-lifi-api-key': apiKey } }),
    timeoutMs,
    exactNumbers: true,
    ...bounds,
  });

/** The Converter holds nothing yet, so LI.FI must not simulate: the venue does. */
const queryOf = ({ amountIn, amountOut, ...asked }: AskedSwap): URLSearchParams =>
  new URLSearchParams({
    fromChain: String(asked.chainId),
    toChain: String(asked.chainId),
    fromToken: asked.inputToken,
    toToken: asked.outputToken,
    fromAddress: asked.taker,
    toAddress: asked.taker,
    ...(amountIn === null
      ? { toAmount: amountOut.toString() }
      : { fromAmount: amountIn.toString() }),
    slippage: formatUnits(ASKED_SLIPPAGE_BPS, 4),
    order: 'CHEAPEST',
    skipSimulation: 'true',
  });

/** A 404 of another server tells neither. */
function tellsNoRoute(body: unknown): boolean {
  const answer = AnswerReader.of(body, 'answer');
  if (NO_ROUTE_CODES.some((code) => answer.is('code', code))) return true;
  if (!answer.has('errors')) return false;
  return answer
    .list('errors')
    .some((error) => AnswerReader.of(error, 'error').is('errorType', NO_ROUTE_OF_A_TOOL));
}

/** One odd entry hides no other. */
function addressIn(entry: unknown): Address[] {
  if (typeof entry !== 'object' || entry === null || !('address' in entry)) return [];
  const { address } = entry;
  return typeof address === 'string' && isAddress(address, { strict: false })
    ? [getAddress(address)]
    : [];
}
