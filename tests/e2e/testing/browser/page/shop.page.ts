import type {
  AssetAmount,
  AssetsResponse,
  BalancesResponse,
  ChainsResponse,
  DepositInfo,
  Payment,
  PaymentHistory,
  QuotesResponse,
  TokenIdentifier,
  Verification,
  WithdrawalStatusResponse,
  WithdrawAccount,
  WithdrawResponse,
} from '@bascule/contracts';
import { formatUnits, parseUnits, type Address } from 'viem';
import type { Exchange, PageApi, RequestOptions } from './api.page.js';
import type { PageWallet } from './wallet.page.js';

declare const location: { href: string; assign(url: string): void };

const POLLING_MS = 1_000;
const PATIENCE_MS = 120_000;
const FINAL = ['COMPLETE', 'FAILED', 'EXPIRED', 'WITHDRAWN'];
/** Key of the session's payment, which outlives the visit of a checkout. */
const CURRENT = 'payment_id';

export interface Order {
  input: AssetAmount;
  output: string;
  destination: string;
  /** Further fields of the quote request. */
  quote?: Record<string, unknown>;
  /** Further fields of the confirm. */
  confirm?: Record<string, unknown>;
}

interface Parked {
  token: TokenIdentifier;
  amount: string;
  fee: string;
  account: WithdrawAccount;
}

/** A page that sells through the API: the flows of an integrator. */
export class Shop {
  readonly #api: PageApi;
  readonly #wallet: PageWallet;

  constructor(api: PageApi, wallet: PageWallet) {
    this.#api = api;
    this.#wallet = wallet;
  }

  request(method: string, path: string, options?: RequestOptions): Promise<Exchange> {
    return this.#api.request(method, path, options);
  }

  /** Confirms the best quote for the wallet's first account; the payment may be `UNCONFIRMED`. */
  async order({ input, output, destination, quote, confirm }: Order): Promise<Payment> {
    const { quotes, state_token } = await this.#api.post<QuotesResponse>('/payments/quotes', {
      request: { kind: 'FIXED_INPUT', fixed_input_amount: input, output_asset: output },
      ...quote,
    });
    const [best] = quotes;
    if (!best) throw new Error('no quote');
    const body = {
      payment_id: best.payment_id,
      state_token,
      owner_address: await this.#owner(),
      destination_address: destination,
      ...confirm,
    };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    return this.#api.post<Payment>('/payments/confirm', body, headers);
  }

  /** Has an account of the wallet sign what an unconfirmed payment asks for, and continues. */
  async verify(unconfirmed: Payment, accountIndex = 0): Promise<Exchange> {
    const next = unconfirmed.next_instruction;
    if (next?.type !== 'USER_VERIFY') throw new Error('the payment asks for no signature');
    const signatures = [];
    for (const verification of next.verifications) {
      signatures.push(await this.#signed(verification, accountIndex));
    }
    const body = { verification_token: next.verification_token, signatures };
    return this.#api.request('POST', '/payments/confirm', { body });
  }

  /** Sends the deposit from the wallet's first account, or another amount of its token. */
  async pay(payment: Payment, amount?: string): Promise<string> {
    const deposit = depositOf(payment);
    const [decimals, chains] = await Promise.all([
      this.#decimals(deposit.deposit_token),
      this.#api.get<ChainsResponse>('/chains'),
    ]);
    return this.#wallet.pay(await this.#owner(), deposit, {
      amount: amount ?? deposit.deposit_amount,
      decimals,
      chains,
    });
  }

  /** Polls a payment until it has the status; another final status ends the wait. */
  follow(paymentId: string, status: Payment['status']): Promise<Payment> {
    return until(`payment ${paymentId} ${status}`, async () => {
      const payment = await this.#api.get<Payment>('/payments', { payment_id: paymentId });
      if (payment.status === status) return payment;
      if (FINAL.includes(payment.status)) throw new Error(`${paymentId} is ${payment.status}`);
      return null;
    });
  }

  /** Leaves for the checkout of a purchase, which leads back to this page. */
  async goToCheckout(order: Order): Promise<void> {
    const confirm = { client_redirect_url: location.href, ...order.confirm };
    const { payment_id, next_instruction: next } = await this.order({ ...order, confirm });
    if (next?.type !== 'ONRAMP') throw new Error('the purchase has no checkout');
    sessionStorage.setItem(CURRENT, payment_id);
    location.assign(next.funding_page_url);
  }

  /** Reads the payment of the session once, as a page does when it is opened again. */
  async current(): Promise<Payment> {
    const paymentId = sessionStorage.getItem(CURRENT);
    if (paymentId === null) throw new Error('the session has no payment');
    return this.#api.get<Payment>('/payments', { payment_id: paymentId });
  }

  /** Moves the parked funds of the owner's payment to a new one for the same output. */
  async retry(): Promise<Payment> {
    const failed = await this.#found();
    const parked = await this.#parked(failed);
    const decimals = await this.#decimals(parked.token);
    const units = parseUnits(parked.amount, decimals) - parseUnits(parked.fee, decimals);
    const retry = await this.order({
      input: { asset: parked.token, amount: formatUnits(units, decimals) },
      output: failed.quoted.output_amount.asset,
      destination: failed.destination_address,
      quote: { parent_payment_id: failed.payment_id },
    });
    await this.#withdraw(failed, parked, depositOf(retry).deposit_address);
    return retry;
  }

  /** Withdraws the parked funds of the owner's payment to the wallet's first account. */
  async recover(): Promise<WithdrawalStatusResponse> {
    const failed = await this.#found();
    return this.#withdraw(failed, await this.#parked(failed), await this.#owner());
  }

  /** Finds the owner's payment with funds that can be withdrawn, by its history alone. */
  async #found(): Promise<Payment> {
    const owner_address = await this.#owner();
    return until(`parked funds of ${owner_address}`, async () => {
      const { payment_statuses } = await this.#api.get<PaymentHistory>('/payments/history', {
        owner_address,
      });
      return payment_statuses.find(({ issues }) => issues.some(isWithdrawable)) ?? null;
    });
  }

  async #owner(): Promise<Address> {
    const [owner] = await this.#wallet.accounts();
    if (!owner) throw new Error('the wallet shows no account');
    return owner;
  }

  async #decimals(token: TokenIdentifier): Promise<number> {
    const assets = await this.#api.get<AssetsResponse>('/assets', { 'assets[]': token });
    const decimals = assets[token]?.decimals;
    if (decimals === undefined) throw new Error(`the API lists no ${token}`);
    return decimals;
  }

  async #signed({ reason, signature_type, payload }: Verification, accountIndex: number) {
    const account = (await this.#wallet.accounts())[accountIndex];
    if (!account) throw new Error(`the wallet has no account ${accountIndex}`);
    const signature = await this.#wallet.sign(account, signature_type, payload);
    return { reason, signature_type, signature };
  }

  async #parked({ payment_id }: Payment): Promise<Parked> {
    const { balance_results } = await this.#api.post<BalancesResponse>('/payments/balances', {
      payment_id,
    });
    const [parked] = balance_results.flatMap(({ token, value, withdraw_account: account }) =>
      value.kind === 'amount' && Number(value.amount) > 0 && account !== undefined
        ? [{ token, amount: value.amount, fee: value.withdrawal_fee, account }]
        : [],
    );
    if (!parked) throw new Error(`payment ${payment_id} shows parked funds and no balance`);
    return parked;
  }

  async #withdraw(
    { payment_id }: Payment,
    { token, amount, account }: Parked,
    recipient: string,
  ): Promise<WithdrawalStatusResponse> {
    const { signature_type, withdraw_authorization, state_token } =
      await this.#api.post<WithdrawResponse>('/payments/withdraw', {
        payment_id,
        token_amounts: [{ token, amount }],
        recipient_address: recipient,
        withdraw_account: account,
      });
    const owner = await this.#owner();
    const signature = await this.#wallet.sign(owner, signature_type, withdraw_authorization);
    const { withdraw_id } = await this.#api.post<WithdrawalStatusResponse>(
      '/payments/withdraw/confirm',
      { signature, state_token, polling_timeout: 0 },
    );
    return until(`withdrawal ${withdraw_id}`, async () => {
      const status = await this.#api.get<WithdrawalStatusResponse>('/payments/withdraw/status', {
        withdraw_id,
      });
      return status.status === 'PENDING' ? null : status;
    });
  }
}

const isWithdrawable = (issue: Payment['issues'][number]): boolean =>
  issue.kind === 'parked_fund' && issue.withdraw_from?.withdraw_type === 'PAYMENT';

function depositOf({ next_instruction: next }: Payment): DepositInfo {
  const [deposit] = next?.type === 'ONRAMP' ? next.deposit_info : [];
  if (!deposit) throw new Error('the payment asks for no deposit');
  return deposit;
}

async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() >= deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLLING_MS));
  }
}
