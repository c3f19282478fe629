import { invalidRequest } from '@bascule/contracts';
import type { TokenAmount, ValidationError, WithdrawAccount } from '@bascule/contracts';
import type { Hex } from 'viem';
import { DEFAULT_ACCOUNT } from '../requests/default-account.js';

/** Parsed body in either of its forms. */
export type Confirmation =
  | { form: 'state-token'; stateToken: string; signature: Hex }
  | {
      form: 'content';
      paymentId: string;
      tokenAmounts: TokenAmount[];
      recipientAddress: string;
      withdrawAccount: WithdrawAccount;
      /** Signed text, when the client sent it. */
      payload: string | null;
      signature: Hex;
    };

export interface ConfirmBody {
  signature?: string;
  state_token?: string;
  payment_id?: string;
  token_amounts?: TokenAmount[];
  recipient_address?: string;
  owner_signature?: string;
  payload?: string;
  withdraw_account?: WithdrawAccount;
}

const missing = (field: string, expected: string): ValidationError => ({
  code: 'invalid_type',
  expected,
  path: [field],
  message: 'Required',
});

/** @throws ServiceError with every missing field */
export function confirmationOf(body: ConfirmBody): Confirmation {
  const isOlderForm = body.state_token === undefined && body.owner_signature !== undefined;
  return isOlderForm ? byContent(body) : byStateToken(body);
}

function byStateToken({ state_token: stateToken, signature }: ConfirmBody): Confirmation {
  if (stateToken === undefined || signature === undefined) {
    throw invalidRequest(
      ...(signature === undefined ? [missing('signature', 'string')] : []),
      ...(stateToken === undefined ? [missing('state_token', 'string')] : []),
    );
  }
  return { form: 'state-token', stateToken, signature: signature as Hex };
}

function byContent(body: ConfirmBody): Confirmation {
  const { payment_id: paymentId, token_amounts: tokenAmounts } = body;
  const { recipient_address: recipientAddress, owner_signature: signature } = body;
  if (
    paymentId === undefined ||
    tokenAmounts === undefined ||
    recipientAddress === undefined ||
    signature === undefined
  ) {
    throw invalidRequest(
      ...(paymentId === undefined ? [missing('payment_id', 'string')] : []),
      ...(tokenAmounts === undefined ? [missing('token_amounts', 'array')] : []),
      ...(recipientAddress === undefined ? [missing('recipient_address', 'string')] : []),
      ...(signature === undefined ? [missing('owner_signature', 'string')] : []),
    );
  }
  return {
    form: 'content',
    paymentId,
    tokenAmounts,
    recipientAddress,
    withdrawAccount: body.withdraw_account ?? DEFAULT_ACCOUNT,
    payload: body.payload ?? null,
    signature: signature as Hex,
  };
}
