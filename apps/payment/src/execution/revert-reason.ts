import {
  actionRunnerAbi,
  converterAbi,
  executorAbi,
  intentEscrowAbi,
  oneTimeWalletAbi,
} from '@bascule/solidity';
import { decodeErrorResult, isHex } from 'viem';
import type { Hex } from 'viem';
import type { LegFailure, LegFailureReason } from '../life-cycle/payment-record.js';

/** Meaning of a revert for its leg. */
export type RevertReason =
  /** The wallet has executed the leg already. */
  | { kind: 'executed' }
  /**
   * The owner or a deadline has ended it; the scanner or the deadline worker records that. Or the executor contract does
   * not know the key, until its owner appoints it.
   */
  | { kind: 'over'; name: string }
  /** The bridge is at its cap until other transfers are done. */
  | { kind: 'full'; failure: LegFailure }
  | { kind: 'failed'; reason: LegFailureReason; message: string };

const ABI = [
  ...oneTimeWalletAbi,
  ...converterAbi,
  ...actionRunnerAbi,
  ...executorAbi,
  ...intentEscrowAbi,
];
const TOO_LITTLE = /too little received|insufficient output|slippage/i;

function decode(data: Hex): { name: string; text: string } {
  try {
    const { errorName, args } = decodeErrorResult({ abi: ABI, data });
    const [first]: readonly unknown[] = args ?? [];
    const text = typeof first === 'string' && !isHex(first) ? first : errorName;
    return { name: errorName, text };
  } catch {
    return { name: 'unknown', text: 'unknown reason' };
  }
}

const SLIPPAGE = {
  kind: 'failed',
  reason: 'slippage',
  message: 'No route yields the minimum output.',
} as const;

const FULL = {
  kind: 'full',
  failure: { reason: 'bridge', message: 'The bridge is at its cap.' },
} as const;

export function revertReason(data: Hex): RevertReason {
  const { name, text } = decode(data);
  switch (name) {
    case 'LegAlreadyExecuted':
      return { kind: 'executed' };
    case 'ExecutorEnded':
    case 'DeclarationExpired':
    case 'NotOperator':
      return { kind: 'over', name };
    case 'AboveCap':
      return FULL;
    case 'BelowMinimum':
      return SLIPPAGE;
    default:
      return TOO_LITTLE.test(text)
        ? SLIPPAGE
        : { kind: 'failed', reason: 'reverted', message: `The transaction would revert: ${text}.` };
  }
}
