import { AmountError, formatAmount, parseAmount } from '@bascule/amounts';
import { invalidRequest, parseTokenIdentifier } from '@bascule/contracts';
import type {
  AmountIssue,
  TokenAmount,
  TokenIdentifier,
  ValidationError,
} from '@bascule/contracts';
import type { Address } from 'viem';
import { minWithdrawalAmount } from '../fees/min-withdrawal-amount.js';

export interface KnownToken {
  id: TokenIdentifier;
  symbol: string;
  decimals: number;
}

/** Token of a request; `amount` in smallest units. */
export interface RequestedToken extends KnownToken {
  address: Address;
  amount: bigint;
}

const problem = (index: number, field: string, message: string): ValidationError => ({
  code: 'custom',
  path: ['token_amounts', index, field],
  message,
});

/** Returns the single chain of a request's tokens. */
export function chainOfTokens(tokenAmounts: readonly TokenAmount[]): string {
  const [first, ...others] = tokenAmounts.map(({ token }) => parseTokenIdentifier(token).chain);
  const stray = others.findIndex((chain) => chain !== first);
  if (first === undefined || stray >= 0) {
    throw invalidRequest(
      problem(stray + 1, 'token', 'All tokens of a withdrawal must be on one chain.'),
    );
  }
  return first;
}

/** @throws ServiceError with every unknown or repeated token and every invalid amount */
export function requestedTokens(
  tokenAmounts: readonly TokenAmount[],
  known: readonly KnownToken[],
): RequestedToken[] {
  const problems: ValidationError[] = [];
  const seen = new Set<string>();
  const tokens = tokenAmounts.flatMap(({ token, amount }, index) => {
    const found = known.find(({ id }) => id === token);
    if (found === undefined) problems.push(problem(index, 'token', 'Unknown token.'));
    if (seen.has(token)) problems.push(problem(index, 'token', 'The token is listed twice.'));
    seen.add(token);
    const units = found === undefined ? null : unitsOf(amount, found.decimals, index, problems);
    return found === undefined || units === null
      ? []
      : [{ ...found, address: parseTokenIdentifier(token).address, amount: units }];
  });
  if (problems.length > 0) throw invalidRequest(...problems);
  return tokens;
}

function unitsOf(
  amount: string,
  decimals: number,
  index: number,
  problems: ValidationError[],
): bigint | null {
  try {
    const units = parseAmount(amount, decimals);
    if (units === 0n)
      problems.push(problem(index, 'amount', 'The amount must be greater than zero.'));
    return units;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    problems.push(problem(index, 'amount', error.message));
    return null;
  }
}

/** Reports an amount above the balance or below the fee; limits are those of the balance, without a maximum below the minimum. */
export function amountIssue(
  token: RequestedToken,
  balance: bigint,
  fee: bigint,
): AmountIssue | null {
  const least = minWithdrawalAmount(fee);
  const isTooHigh = token.amount > balance;
  if (!isTooHigh && token.amount >= least) return null;
  const isEnough = least <= balance;
  const text = (units: bigint) => formatAmount(units, token.decimals);
  return {
    kind: 'amount',
    asset: token.id,
    given: text(token.amount),
    limits: { min: text(least), ...(isEnough && { max: text(balance) }) },
    source: 'withdrawal',
    message: `Given amount is ${text(token.amount)} ${token.symbol}, ${
      isTooHigh
        ? `but the wallet holds ${text(balance)} ${token.symbol}.`
        : `of which the fee of ${text(fee)} ${token.symbol} leaves too little.`
    }`,
    reason: reasonOf({ isEnough, isTooHigh }),
  };
}

function reasonOf(o: { isEnough: boolean; isTooHigh: boolean }): AmountIssue['reason'] {
  if (!o.isEnough) return 'NO_VALID_AMOUNT';
  return o.isTooHigh ? 'TOO_HIGH' : 'TOO_LOW';
}
