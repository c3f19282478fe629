import { setTimeout as delay } from 'node:timers/promises';
import type {
  BalanceResult,
  BalancesResponse,
  WithdrawalStatusResponse,
  WithdrawResponse,
} from '@bascule/contracts';
import {
  decodeFunctionData,
  erc20Abi,
  isAddressEqual,
  type Address,
  type Hex,
  type PrivateKeyAccount,
  type TypedDataDefinition,
} from 'viem';
import { ApiError, type Api } from './api.js';
import { checkEqual } from './check.js';
import { until } from './polling.js';

export interface ParkedBalance {
  token: BalanceResult['token'];
  amount: string;
  withdrawalFee: string;
  minWithdrawalAmount: string;
  account: NonNullable<BalanceResult['withdraw_account']>;
}

/** Lists the balances parked in a payment's wallet, without unreadable entries. */
export async function parkedBalances(api: Api, paymentId: string): Promise<ParkedBalance[]> {
  const { balance_results } = await api.post<BalancesResponse>('/payments/balances', {
    payment_id: paymentId,
  });
  return parkedIn(balance_results);
}

const parkedIn = (results: readonly BalanceResult[]): ParkedBalance[] =>
  results.flatMap(({ token, value, withdraw_account }) =>
    value.kind === 'amount' && Number(value.amount) > 0 && withdraw_account !== undefined
      ? [
          {
            token,
            amount: value.amount,
            withdrawalFee: value.withdrawal_fee,
            minWithdrawalAmount: value.min_withdrawal_amount,
            account: withdraw_account,
          },
        ]
      : [],
  );

/** Waits for a parked balance. */
export const parkedBalance = (
  api: Api,
  paymentId: string,
  account: ParkedBalance['account'],
): Promise<ParkedBalance> =>
  until(`a balance (${account}) of payment ${paymentId}`, async () => {
    const { balance_results } = await postOnceAvailable<BalancesResponse>(
      api,
      '/payments/balances',
      { payment_id: paymentId },
    );
    return parkedIn(balance_results).find((each) => each.account === account) ?? null;
  });

/** Repeats a request that is answered 503 when its `Retry-After` says; any other answer than 200 is an error. */
const postOnceAvailable = <T>(api: Api, path: string, body: object): Promise<T> =>
  until(`an answer of ${path}`, async () => {
    const { status, headers, body: answer } = await api.request('POST', path, { body });
    if (status === 200) return answer as T;
    const seconds = headers.get('retry-after');
    if (status !== 503 || seconds === null) throw new ApiError(`POST ${path}`, status, answer);
    await delay(Number(seconds) * 1_000);
    return null;
  });

export interface Withdrawal {
  withdrawId: string;
  transactionHash: string;
  /** Returns the payout that the owner signed, in smallest units; the rest repays gas. */
  payout: bigint;
}

/** Asks for a withdrawal to sign; senders of new deposits may have no verdict for a moment. */
export const requestWithdrawal = (api: Api, body: object): Promise<WithdrawResponse> =>
  postOnceAvailable(api, '/payments/withdraw', body);

/** Confirms a withdrawal; senders of new deposits may have no verdict for a moment. */
export const confirmWithdrawal = (api: Api, body: object): Promise<WithdrawalStatusResponse> =>
  postOnceAvailable(api, '/payments/withdraw/confirm', body);

/** Asks for the authorization, signs it as the owner and has it executed. */
export async function withdraw(
  api: Api,
  owner: PrivateKeyAccount,
  paymentId: string,
  balance: ParkedBalance,
  recipient: Address = owner.address,
): Promise<Withdrawal> {
  const isText = balance.account === 'INTENT';
  const request = await requestWithdrawal(api, {
    payment_id: paymentId,
    token_amounts: [{ token: balance.token, amount: balance.amount }],
    recipient_address: recipient,
    withdraw_account: balance.account,
  });
  checkEqual('how it is authorised', request.signature_type, isText ? 'EIP191' : 'EIP712');
  const authorization = request.withdraw_authorization;
  const signature = isText
    ? await owner.signMessage({ message: authorization })
    : await signTypedData(owner, authorization);
  const confirmed = await confirmWithdrawal(api, {
    signature,
    state_token: request.state_token,
    polling_timeout: 60_000,
  });
  checkEqual('the status of the withdrawal', confirmed.status, 'SUCCESS');
  const status = await api.get<WithdrawalStatusResponse>('/payments/withdraw/status', {
    withdraw_id: request.withdraw_id,
  });
  checkEqual('its status says so too', status.status, 'SUCCESS');
  checkEqual('with the same transaction', status.transaction_hash, confirmed.transaction_hash);
  return {
    withdrawId: request.withdraw_id,
    transactionHash: String(status.transaction_hash),
    payout: isText ? refundPayout(authorization) : signedPayout(authorization, recipient),
  };
}

/** A wallet shows what it signs: the transfers of an ERC-20 token to the recipient. */
export function signedPayout(payload: string, recipient: Address): bigint {
  const { message } = JSON.parse(payload) as { message: { actions: { data: Hex }[] } };
  return message.actions
    .map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }))
    .reduce((sum, call) => {
      const isPayout = call.functionName === 'transfer' && isAddressEqual(call.args[0], recipient);
      return isPayout ? sum + call.args[1] : sum;
    }, 0n);
}

/** Returns the payout of a refund, from the text that the owner signs. */
function refundPayout(text: string): bigint {
  const units = (name: string) => BigInt(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return units('Amount') - units('Fee, taken from the amount');
}

/** As wallets do: the domain's type is theirs to add. */
export function signTypedData(owner: PrivateKeyAccount, payload: string) {
  const { types, ...typedData } = JSON.parse(payload) as TypedDataDefinition & {
    types: Record<string, unknown>;
  };
  const { EIP712Domain: _, ...signedTypes } = types;
  return owner.signTypedData({ ...typedData, types: signedTypes });
}
