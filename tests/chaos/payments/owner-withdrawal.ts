import {
  tokenIdentifier,
  type TokenIdentifier,
  type WithdrawalStatusResponse,
  type WithdrawResponse,
} from '@bascule/contracts';
import { decodeFunctionData, erc20Abi, zeroAddress, type Address, type Hex } from 'viem';
import { ApiError } from '../../../tools/first-payment/api.js';
import { check } from '../../../tools/first-payment/check.js';
import {
  parkedBalances,
  signTypedData,
  type ParkedBalance,
} from '../../../tools/first-payment/withdraw.js';
import { isTransient, retryUntilAnswered } from '../client/retrying-api.js';
import { acceptanceOf, type OwnerWithdrawal, type TestPayment } from './test-payment.js';

const SETTLEMENT_POLL_MS = 3_000;
/** A chain that cannot be read at the moment shows no balance. */
const BALANCE_MS = 240_000;
/** Longest delay until the withdrawal service's projection has a confirmed payment. */
const PROJECTION_MS = 240_000;

interface Action {
  target: Address;
  data: Hex;
  value: string;
}

/** Signs and confirms a withdrawal of everything parked on the payment's chain. */
export async function withdrawParked(
  payment: TestPayment,
  recipient = payment.owner.address,
  balanceWithinMs = BALANCE_MS,
): Promise<OwnerWithdrawal> {
  const { api } = payment.organisation;
  const { id } = acceptanceOf(payment);
  const parked = await parkedOnChain(payment, balanceWithinMs);
  const request = await retryWhileUnknown(() =>
    api.post<WithdrawResponse>('/payments/withdraw', {
      payment_id: id,
      token_amounts: parked.map(({ token, amount }) => ({ token, amount })),
      recipient_address: recipient,
      withdraw_account: parked[0]?.account,
    }),
  );
  const signature = await signTypedData(payment.owner, request.withdraw_authorization);
  const withdrawal: OwnerWithdrawal = {
    withdrawId: request.withdraw_id,
    byService: true,
    takes: signedTransfers(payment, request.withdraw_authorization),
    ...(await settled(payment, request, signature)),
  };
  payment.withdrawals.push(withdrawal);
  return withdrawal;
}

/** Withdraws everything parked, and requires success. */
export async function recover(payment: TestPayment): Promise<void> {
  const { status, withdrawId } = await withdrawParked(payment);
  check('the withdrawal succeeds', status === 'SUCCESS', { withdrawId, status });
}

/** Waits until the withdrawal service has the payment, as a client does that withdraws to the wallet of a retry. */
export async function untilWithdrawable(payment: TestPayment): Promise<void> {
  const { id } = acceptanceOf(payment);
  await retryWhileUnknown(() => parkedBalances(payment.organisation.api, id));
}

/** Waits for the wallet's parked balances on the payment's chain; deposits show once mined. */
async function parkedOnChain(payment: TestPayment, withinMs: number): Promise<ParkedBalance[]> {
  const { chain, organisation } = payment;
  const look = async () => {
    const balances = await retryWhileUnknown(() =>
      parkedBalances(organisation.api, acceptanceOf(payment).id),
    );
    const here = balances.filter(({ token }) => token.startsWith(`${chain.name}:`));
    return here.length > 0 ? here : 'no parked balance';
  };
  return retryUntilAnswered('balances', look, withinMs);
}

async function settled(
  payment: TestPayment,
  { withdraw_id, state_token }: WithdrawResponse,
  signature: Hex,
): Promise<Pick<OwnerWithdrawal, 'status' | 'transactionHash'>> {
  const { api } = payment.organisation;
  const body = { signature, state_token, polling_timeout: SETTLEMENT_POLL_MS };
  const { status, body: answer } = await api.request('POST', '/payments/withdraw/confirm', {
    body,
  });
  // The wallet has been emptied meanwhile: the signed withdrawal will never be mined.
  if (status === 400) return { status: 'REFUSED', transactionHash: null };
  // 409: an attempt whose response was lost.
  const isSaid = status === 200 || status === 409;
  if (!isSaid) throw new ApiError('POST /payments/withdraw/confirm', status, answer);
  return retryUntilAnswered('the settlement of a withdrawal', async () => {
    const said = await api.get<WithdrawalStatusResponse>('/payments/withdraw/status', {
      withdraw_id,
    });
    return said.status === 'PENDING'
      ? 'it is PENDING'
      : { status: said.status, transactionHash: said.transaction_hash };
  });
}

/** Repeats a request while the withdrawal service's projection lacks the payment. */
async function retryWhileUnknown<T extends object>(ask: () => Promise<T>): Promise<T> {
  const attempt = async () => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || isTransient(error.status))) {
        return error.message;
      }
      throw error;
    }
  };
  return retryUntilAnswered('the withdrawal service has the payment', attempt, PROJECTION_MS);
}

/** Returns recipient and amount of a signed text, as a wallet shows them. */
function signedTransfers(payment: TestPayment, payload: string): OwnerWithdrawal['takes'] {
  const { message } = JSON.parse(payload) as { message: { actions: Action[] } };
  return message.actions.map(({ target, data, value }) => {
    if (data === '0x') return { token: nativeOf(payment), to: target, units: BigInt(value) };
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    if (functionName !== 'transfer') throw new Error(`the authorization has a ${functionName}`);
    return { token: tokenIdentifier(payment.chain.name, target), to: args[0], units: args[1] };
  });
}

const nativeOf = ({ chain }: TestPayment): TokenIdentifier =>
  tokenIdentifier(chain.name, zeroAddress);
