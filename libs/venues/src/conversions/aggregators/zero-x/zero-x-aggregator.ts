import { GuardedClient, unexpectedStatus } from '@bascule/json-client';
import { isAddressEqual, zeroAddress, type Address } from 'viem';
import { MAX_CONCURRENT, type AggregatorAdapter } from '../aggregator-connection.js';
import {
  AggregatorMismatchError,
  ASKED_SLIPPAGE_BPS,
  type Aggregator,
  type SwapRequest,
  type ToldSwap,
} from '../aggregator.js';
import { AnswerReader } from '../answer-reader.js';
import { spendsOnly } from './allowance-holder-call.js';

/** Native currency in 0x's API. */
const NATIVE: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const INVALID_REQUEST = 400;
/** Names of errors that mean that there is no route, not that the request was wrong. */
const REFUSALS = ['TOKEN_NOT_SUPPORTED'];

/** Swap API of 0x, version 2, with allowances for its AllowanceHolder. */
export const zeroX: AggregatorAdapter = {
  needsKey: true,
  create({ name, baseUrl, apiKey = '', timeoutMs }): Aggregator {
    const http = new GuardedClient({
      peer: name,
      baseUrl,
      headers: { '0x-api-key': apiKey, '0x-version': 'v2' },
      timeoutMs,
      exactNumbers: true,
      maxConcurrent: MAX_CONCURRENT,
    });
    return {
      adapter: 'zero-x',
      async swap(request) {
        const query = new URLSearchParams({
          chainId: String(request.chainId),
          sellToken: spelled(request.inputToken),
          buyToken: spelled(request.outputToken),
          sellAmount: request.amountIn.toString(),
          taker: request.taker,
          slippageBps: ASKED_SLIPPAGE_BPS.toString(),
        });
        const { status, body } = await http.get(`swap/allowance-holder/quote?${query.toString()}`);
        if (isRefusal(status, body)) return null;
        if (status !== 200) throw unexpectedStatus(name, status);
        return readQuote(name, request, AnswerReader.of(body, name));
      },
    };
  },
};

const spelled = (token: Address): Address => (token === zeroAddress ? NATIVE : token);

function isRefusal(status: number, body: unknown): boolean {
  if (status === 200) return AnswerReader.of(body, 'answer').is('liquidityAvailable', false);
  if (status !== INVALID_REQUEST) return false;
  const error = AnswerReader.of(body, 'answer');
  return REFUSALS.some((name) => error.is('name', name));
}

function readQuote(name: string, request: SwapRequest, quote: AnswerReader): ToldSwap {
  const { inputToken, outputToken, amountIn } = request;
  const requireSame = (field: string, isSame: boolean): void => {
    if (!isSame) throw new AggregatorMismatchError(name, field);
  };
  requireSame('liquidity', quote.is('liquidityAvailable', true));
  requireSame('sellToken', isAddressEqual(quote.address('sellToken'), spelled(inputToken)));
  requireSame('buyToken', isAddressEqual(quote.address('buyToken'), spelled(outputToken)));
  requireSame('sellAmount', quote.integer('sellAmount') === amountIn);
  const transaction = quote.object('transaction');
  const data = transaction.data('data');
  requireSame('call', spendsOnly(data, { token: inputToken, amount: amountIn }));
  return {
    target: transaction.address('to'),
    spenders: spendersOf(quote),
    value: transaction.integer('value'),
    data,
    amountIn,
    amountOut: quote.integer('buyAmount'),
    ...(transaction.has('gas') && { gas: transaction.integer('gas') }),
  };
}

/** The contract is named twice: as `allowanceTarget`, and as what is missing. */
function spendersOf(quote: AnswerReader): Address[] {
  const missing = quote.object('issues');
  return [
    ...(quote.has('allowanceTarget') ? [quote.address('allowanceTarget')] : []),
    ...(missing.has('allowance') ? [missing.object('allowance').address('spender')] : []),
  ];
}
