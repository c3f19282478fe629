import { PAYMENT_METHODS } from '@bascule/contracts';
import type {
  Issue,
  Payment,
  PaymentMethod,
  Quote,
  QuotesResponse,
  RouteStep,
  TokenIdentifier,
  ValidationError,
} from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import type { Answer, Api } from '../../tools/first-payment/api.js';
import { eventually } from '@bascule/testing';
import { Chain } from '../../tools/first-payment/chain.js';
import { newTestUser, type TestUser } from '../../tools/first-payment/test-user.js';
import {
  apiOf,
  newOrganisation,
  newTestKeys,
  type OrganisationKeys,
} from '../e2e/testing/operators.fixture.js';
import type { StackProcess } from '../testing/stack-process.fixture.js';

export const PATIENCE = { timeoutMs: 30_000 };

/** One row: sends requests with a field or a value of it, and asserts its effect. */
export type Row = (stage: ContractStage) => Promise<void>;
export type Rows = Readonly<Record<string, Row>>;

/** Method of the stage that makes a body of this form of `request`. */
export type RequestForm = 'fixedInput' | 'fixedOutput';

export interface Errors {
  errors: (Partial<Issue> & Partial<ValidationError>)[];
}

const FIXED_OUTPUTS: Record<string, string> = { ETH: '0.01', WETH: '0.01', WBTC: '0.0004' };

/** A running stack with an organisation's keys, as an integrator has them. */
export class ContractStage {
  readonly secret: Api;
  readonly publishable: Api;
  readonly chain: Chain;
  readonly otherChain: Chain;
  readonly user: TestUser = newTestUser();
  private testKeys: Promise<OrganisationKeys> | undefined;
  private readonly registered = new Set<string>();

  private constructor(
    readonly stack: StackProcess,
    readonly file: StackFile,
    private readonly others: OrganisationKeys,
  ) {
    this.secret = apiOf(stack, file.keys.secret);
    this.publishable = apiOf(stack, file.keys.publishable);
    this.chain = new Chain(file, 'alphanet');
    this.otherChain = new Chain(file, 'betanet');
  }

  static async open(stack: StackProcess, file: StackFile): Promise<ContractStage> {
    return new ContractStage(stack, file, await newOrganisation(stack));
  }

  get organisationId(): string {
    return this.file.organisation_id;
  }

  /** Another organisation. */
  get other(): Api {
    return apiOf(this.stack, this.others.secret);
  }

  /** Test keys of the organisation, created when a row first needs them. */
  async test(): Promise<Api> {
    this.testKeys ??= newTestKeys(this.stack, this.organisationId);
    return apiOf(this.stack, (await this.testKeys).secret);
  }

  /** Lets the keys of the other organisation buy by this method too. */
  async enableForOther(method: PaymentMethod): Promise<void> {
    const keySet = ['--key-set', this.others.keySetId];
    await this.stack.operator('keys', 'methods', ...keySet, '--methods', method);
  }

  token(symbol: string): TokenIdentifier {
    return this.chain.token(symbol);
  }

  /** 25 USDC into another token, with further fields of the request. */
  fixedInput(output: string, fields: object = {}) {
    const fixed_input_amount = { asset: this.token('USDC'), amount: '25' };
    const output_asset = this.token(output);
    return { request: { kind: 'FIXED_INPUT', fixed_input_amount, output_asset, ...fields } };
  }

  /** USDC into about as much of another token, with further fields of the request. */
  fixedOutput(output: string, fields: object = {}) {
    const amount = FIXED_OUTPUTS[output] ?? '25';
    const fixed_output_amount = { asset: this.token(output), amount };
    const input_asset = this.token('USDC');
    return { request: { kind: 'FIXED_OUTPUT', fixed_output_amount, input_asset, ...fields } };
  }

  /** 25 USDC into WETH, with further fields of the body. */
  swap(fields: object = {}, amount = '25'): object {
    return {
      request: {
        kind: 'FIXED_INPUT',
        fixed_input_amount: { asset: this.token('USDC'), amount },
        output_asset: this.token('WETH'),
      },
      ...fields,
    };
  }

  /** USDC into USDC, without a conversion. */
  transfer(amount: string, fields: object = {}): object {
    const asset = this.token('USDC');
    return {
      request: { kind: 'FIXED_INPUT', fixed_input_amount: { asset, amount }, output_asset: asset },
      ...fields,
    };
  }

  /** USDC for a currency, with further fields of the body. */
  purchase(fields: object = {}, fiat = 'usd', amount = '100'): object {
    return {
      request: {
        kind: 'FIXED_INPUT',
        fixed_input_amount: { asset: fiat, amount },
        output_asset: this.token('USDC'),
      },
      ...fields,
    };
  }

  /** Runs a check, repeatedly, while a restricted edge is open to the organisation. */
  async whileOpen(edge: string, check: () => Promise<void>): Promise<void> {
    const target = ['--organisation', this.organisationId, '--edge', edge];
    await this.stack.operator('edges', 'open', ...target);
    await eventually(check, PATIENCE);
    await this.stack.operator('edges', 'close', ...target);
  }

  /** Registers a redirect origin of the organisation, once. */
  async registerOrigin(origin: string): Promise<void> {
    if (this.registered.has(origin)) return;
    this.registered.add(origin);
    await this.stack.operator(
      ...['redirect-origins', 'add', '--organisation', this.organisationId, '--origin', origin],
    );
  }

  ask(body: object, by: Api = this.secret): Promise<Answer> {
    return by.request('POST', '/payments/quotes', { body });
  }

  async quotes(body: object, by: Api = this.secret): Promise<QuotesResponse> {
    return by.post<QuotesResponse>('/payments/quotes', body);
  }

  async quote(
    body: object,
    by: Api = this.secret,
  ): Promise<{ quote: Quote; response: QuotesResponse }> {
    const response = await this.quotes(body, by);
    const [quote] = response.quotes;
    if (!quote) throw new Error(`no quote: ${JSON.stringify(response)}`);
    return { quote, response };
  }

  /** Body that confirms the best quote of a request. */
  async confirmation(
    body: object,
    fields: object = {},
    by: Api = this.secret,
  ): Promise<Record<string, unknown>> {
    const { quote, response } = await this.quote(body, by);
    return {
      payment_id: quote.payment_id,
      state_token: response.state_token,
      owner_address: this.user.owner.address,
      destination_address: this.user.destination,
      ...fields,
    };
  }

  confirm(body: object, by: Api = this.secret): Promise<Answer> {
    return by.request('POST', '/payments/confirm', { body });
  }

  /** Confirms the best quote of a request; returns the payment. */
  async payment(body: object, fields: object = {}): Promise<Payment> {
    return this.secret.post<Payment>('/payments/confirm', await this.confirmation(body, fields));
  }
}

/** A row for each payment method. */
export const methodRows = (row: (method: PaymentMethod) => Row): Rows =>
  Object.fromEntries(PAYMENT_METHODS.map((method) => [method, row(method)]));

/** Changes of an account on one side of a route's steps. */
export const changesOf = (
  route: readonly RouteStep[],
  side: 'consume' | 'produce',
  account: string,
) =>
  route.flatMap(({ net_effect }) =>
    net_effect[side].filter((change) => change.account === account),
  );

export const errorsOf = ({ body }: Answer): Errors['errors'] => (body as Errors).errors;
export const issuesOf = ({ failures }: QuotesResponse): Issue[] =>
  failures.flatMap(({ issues }) => issues);
