import { isAddressEqual, type Address } from 'viem';
import {
  AggregatorMismatchError,
  type OutputSwapRequest,
  type SwapRequest,
  type ToldSwap,
} from '../aggregator.js';
import { AnswerReader } from '../answer-reader.js';

/** Swap of which either the input or the output is given. */
export type AskedSwap =
  (SwapRequest & { amountOut: null }) | (OutputSwapRequest & { amountIn: null });

/** Reads a step of LI.FI's route, which is the whole route on one chain. @throws where it is another swap than asked */
export function readStep(name: string, asked: AskedSwap, body: unknown): ToldSwap {
  const step = AnswerReader.of(body, name);
  const [action, estimate] = [step.object('action'), step.object('estimate')];
  const transaction = step.object('transactionRequest');
  const requireSame = (field: string, isSame: boolean): void => {
    if (!isSame) throw new AggregatorMismatchError(name, field);
  };
  const { chainId, inputToken, outputToken, taker } = asked;
  for (const [answer, field] of [
    [action, 'fromChainId'],
    [action, 'toChainId'],
    [transaction, 'chainId'],
  ] as const) {
    requireSame(field, !answer.has(field) || answer.integer(field) === BigInt(chainId));
  }
  for (const [answer, field, address] of [
    [action, 'fromAddress', taker],
    [action, 'toAddress', taker],
    [transaction, 'from', taker],
  ] as const) {
    requireSame(field, !answer.has(field) || isAddressEqual(answer.address(field), address));
  }
  requireSame('fromToken', isAddressEqual(tokenOf(action, 'fromToken'), inputToken));
  requireSame('toToken', isAddressEqual(tokenOf(action, 'toToken'), outputToken));
  const amountIn = action.integer('fromAmount');
  requireSame('fromAmount', asked.amountIn === null || amountIn === asked.amountIn);
  return {
    target: transaction.address('to'),
    spenders: estimate.has('approvalAddress') ? [estimate.address('approvalAddress')] : [],
    value: transaction.integer('value'),
    data: transaction.data('data'),
    amountIn,
    amountOut: estimate.integer('toAmount'),
    ...(transaction.has('gasLimit') && { gas: transaction.integer('gasLimit') }),
  };
}

const tokenOf = (action: AnswerReader, name: string): Address =>
  action.object(name).address('address');
