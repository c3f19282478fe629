import type {
  Payment,
  TokenIdentifier,
  WithdrawalStatusResponse,
  WithdrawResponse,
} from '@bascule/contracts';
import type { Address } from 'viem';
import type { Chain } from '../../../tools/first-payment/chain.js';
import { getPayment, quoteAndConfirm } from '../../../tools/first-payment/payments.js';
import { until } from '../../../tools/first-payment/polling.js';
import { newTestUser, type Stage, type TestUser } from '../../../tools/first-payment/test-user.js';
import {
  parkedBalances,
  requestWithdrawal,
  signTypedData,
  type ParkedBalance,
} from '../../../tools/first-payment/withdraw.js';
import { depositTo } from './deposit-to.fixture.js';

export interface Confirmed {
  user: TestUser;
  payment: Payment;
  wallet: Address;
  on: Chain;
}

/** A withdrawal up to the owner's signature. */
export interface Signed {
  answer: WithdrawResponse;
  recipient: Address;
  signature: string;
}

export const idOf = ({ payment }: Confirmed): string => payment.payment_id;

export const acceptsBlame = ({ answer }: Signed): boolean =>
  (JSON.parse(answer.withdraw_authorization) as { message: { accept_blame: boolean } }).message
    .accept_blame;

export const deposit = ({ wallet, on }: Confirmed, amount: string, symbol?: string) =>
  depositTo(on, wallet, amount, symbol);

/** Steps of payments and of their owners, as integrators take and see them. */
export class LifeCycleStand {
  constructor(private readonly stage: Pick<Stage, 'api' | 'chain'>) {}

  /** Confirms a payment of USDC, or of another token, to be funded within the minutes. */
  async confirmed(
    minutes: number,
    { input = 'USDC', amount = '25', output = 'USDC', on = this.stage.chain } = {},
  ): Promise<Confirmed> {
    const user = newTestUser();
    const { payment, depositAddress } = await quoteAndConfirm(this.stage.api, {
      input: { asset: input === 'usd' ? input : on.token(input), amount },
      output: on.token(output),
      owner: user.owner.address,
      destination: user.destination,
      expirationMinutes: minutes,
    });
    return { user, payment, wallet: depositAddress, on };
  }

  show(of: Confirmed): Promise<Payment> {
    return getPayment(this.stage.api, idOf(of));
  }

  /** Statuses without and with `enable_withdraw_pending`. */
  statuses(of: Confirmed): Promise<Payment['status'][]> {
    return Promise.all(
      ['false', 'true'].map(async (enable_withdraw_pending) => {
        const query = { payment_id: idOf(of), enable_withdraw_pending };
        return (await this.stage.api.get<Payment>('/payments', query)).status;
      }),
    );
  }

  reachesStatuses(of: Confirmed, ...expected: [Payment['status'], Payment['status']]) {
    return until(`payment ${idOf(of)} ${expected.join()}`, async () =>
      (await this.statuses(of)).join() === expected.join() ? expected : null,
    );
  }

  /** Waits for the issue of parked funds, and returns the payment with all issues. */
  withParked(of: Confirmed, classification: string): Promise<Payment> {
    return until(`${classification} of ${idOf(of)}`, async () => {
      const payment = await this.show(of);
      const isFound = payment.issues.some(
        (issue) => issue.kind === 'parked_fund' && issue.classification === classification,
      );
      return isFound ? payment : null;
    });
  }

  parked(of: Confirmed, token: TokenIdentifier): Promise<ParkedBalance> {
    return until(`${token} of ${idOf(of)}`, async () => {
      const balances = await parkedBalances(this.stage.api, idOf(of));
      return balances.find((balance) => balance.token === token) ?? null;
    });
  }

  /** Signs a withdrawal of an amount of a token; of all that the wallet holds by default. */
  async signed(of: Confirmed, token: TokenIdentifier, amount?: string): Promise<Signed> {
    const parked = await this.parked(of, token);
    const { destination: recipient } = newTestUser();
    const answer = await requestWithdrawal(this.stage.api, {
      payment_id: idOf(of),
      token_amounts: [{ token, amount: amount ?? parked.amount }],
      recipient_address: recipient,
      withdraw_account: 'SPW',
    });
    const signature = await signTypedData(of.user.owner, answer.withdraw_authorization);
    return { answer, recipient, signature };
  }

  /** Asks again while the senders of new deposits have no verdict. */
  confirm({ answer: { state_token }, signature }: Signed, polling_timeout: number) {
    return until('an answer', async () => {
      const answer = await this.stage.api.request('POST', '/payments/withdraw/confirm', {
        body: { state_token, signature, polling_timeout },
      });
      return answer.status === 503 ? null : answer;
    });
  }

  ends({ answer: { withdraw_id } }: Signed, status: WithdrawalStatusResponse['status']) {
    return until(`withdrawal ${withdraw_id} ${status}`, async () => {
      const query = { withdraw_id };
      const path = '/payments/withdraw/status';
      const now = await this.stage.api.get<WithdrawalStatusResponse>(path, query);
      return now.status === status ? now : null;
    });
  }
}
