import { Chains, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import {
  invalidRequest,
  isFrozenFor,
  parseTokenIdentifier,
  tokenIdentifier,
} from '@bascule/contracts';
import type { BalanceResult, BalancesResponse, TokenIdentifier } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ServiceContext } from '@bascule/process';
import {
  ChainUnreadableError,
  TokenBalancesClient,
  WithdrawalFeesService,
} from '@bascule/wallet-balances';
import type { FeeToken } from '@bascule/wallet-balances';
import { ConcurrencyBound } from '@bascule/service-host';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PaymentAccessService } from '../payments/payment-access.service.js';
import { SigningOwnersClient } from '../payments/signing-owners.client.js';
import type { CanSign } from '../payments/signing-owners.client.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { balanceResult, failedBalance, isShown, NO_ACCOUNT, WALLET } from './balance-results.js';
import type { FoundBalance, Place } from './balance-results.js';
import type { BalancesDto, CustomQueryDto } from './balances.dto.js';
import { OrderBalancesService } from './order-balances.service.js';
import { unknownQueries } from './unknown-queries.js';

/** Tokens of one address on one chain. */
interface BalanceLookup {
  chain: Chain;
  address: Address;
  tokens: FeeToken[];
  /** Payment of the caller whose wallet the address is. */
  payment: ProjectedPayment | null;
}

type Found = ReadonlyMap<BalanceLookup, FoundBalance[]>;

/** Requests at a time: each reads every chain that it names. */
const LIMITS = { total: 200, ofOrganisation: 50 };
const TOO_MANY = 'Too many requests for balances run already. Try again later.';

/** Lists balances of a payment's accounts and of custom addresses. */
@Injectable()
export class BalancesService {
  private readonly bound = new ConcurrencyBound(LIMITS);

  constructor(
    private readonly chains: Chains,
    private readonly payments: PaymentAccessService,
    private readonly projections: ProjectionsRepository,
    private readonly balances: TokenBalancesClient,
    private readonly orders: OrderBalancesService,
    private readonly owners: SigningOwnersClient,
    private readonly fees: WithdrawalFeesService,
    private readonly settings: WithdrawalSettings,
    private readonly context: ServiceContext,
  ) {}

  /** @throws ServiceError 503 where the organisation, or the visitor, has too many of these requests at a time */
  async list(caller: Caller, request: BalancesDto): Promise<BalancesResponse> {
    // First, since it waits for a payment that was confirmed just now: its wallet may be queried, too.
    const payment =
      request.payment_id === undefined ? null : await this.payments.get(caller, request.payment_id);
    const custom = await this.customLookups(caller, request.custom_queries ?? []);
    return this.bound.during(caller, TOO_MANY, async () => ({
      balance_results: await this.listAll(payment, custom),
      future_withdrawable_balances: [],
    }));
  }

  private async listAll(
    payment: ProjectedPayment | null,
    custom: readonly BalanceLookup[],
  ): Promise<BalanceResult[]> {
    const wallet = payment === null ? [] : await this.walletLookups(payment);
    const [found, orders] = await Promise.all([
      this.findAll([...wallet, ...custom]),
      payment === null ? [] : this.orders.list(payment),
    ]);
    const canSign = await this.owners.read(placesWithMoney(found));
    return [
      ...wallet.flatMap((lookup) => walletResults(lookup, found.get(lookup), canSign)),
      ...orders,
      ...custom.flatMap((lookup) => customResults(lookup, found.get(lookup), canSign)),
    ];
  }

  private noteUnreadable(chain: Chain, error: unknown): void {
    if (!(error instanceof ChainUnreadableError)) throw error;
    this.context.logger.warn({ err: error, chain: chain.name }, 'could not read balances');
  }

  /** Reads each chain once; lookups of chains that cannot be read are missing in the result. */
  private async findAll(lookups: readonly BalanceLookup[]): Promise<Found> {
    const byChain = Map.groupBy(lookups, ({ chain }) => chain);
    const found = await Promise.all(
      [...byChain].map(async ([chain, ofChain]) => {
        try {
          return await this.find(chain, ofChain);
        } catch (error) {
          this.noteUnreadable(chain, error);
          return [];
        }
      }),
    );
    return new Map(found.flat());
  }

  /** @throws ChainUnreadableError */
  private async find(
    chain: Chain,
    lookups: readonly BalanceLookup[],
  ): Promise<[BalanceLookup, FoundBalance[]][]> {
    const readings = await this.balances.readWallets(
      chain,
      lookups.map(({ address, tokens, payment }) => ({
        wallet: address,
        tokens: tokens.map(({ id }) => parseTokenIdentifier(id).address),
        isOwn: payment !== null,
      })),
      this.settings.balanceTimeoutMs,
    );
    const fees = await this.fees.quoteWallets(
      chain,
      lookups.map(({ tokens }, index) => ({
        tokens,
        isDeployed: readings[index]?.isDeployed ?? false,
      })),
    );
    return lookups.map((lookup, index) => [
      lookup,
      lookup.tokens.map(({ id, decimals }, position) => ({
        address: lookup.address,
        token: id,
        decimals,
        units: readings[index]?.units[position] ?? null,
        fee: fees[index]?.get(id) ?? null,
      })),
    ]);
  }

  /** Queries every token that the wallet may hold on every chain, so that money sent on a wrong chain is found too. */
  private async walletLookups(payment: ProjectedPayment): Promise<BalanceLookup[]> {
    const chains = this.chains.all();
    const names = chains.map(({ name }) => name);
    const assets = await this.projections.possibleTokens(payment, names);
    return chains.map((chain) => {
      const native = {
        id: tokenIdentifier(chain.name, ZERO_ADDRESS),
        decimals: chain.definition.nativeCurrency.decimals,
      };
      const others = assets.filter((asset) => asset.chain === chain.name && asset.id !== native.id);
      const address = payment.walletAddress as Address;
      return { chain, address, tokens: [native, ...others], payment };
    });
  }

  private async customLookups(
    { orgId, mode }: Caller,
    queries: readonly CustomQueryDto[],
  ): Promise<BalanceLookup[]> {
    if (queries.length === 0) return [];
    const known = await this.projections.tokens(queries.map(({ token }) => token));
    const problems = unknownQueries(queries, {
      isToken: (token) => known.some(({ id }) => id === token),
      isTestChain: (name) => this.chains.find(name)?.definition.isTestnet,
      mode,
    });
    if (problems.length > 0) throw invalidRequest(...problems);
    const payments = await this.projections.paymentsOfWallets(
      orgId,
      queries.map(({ address }) => address),
    );
    const byWallet = new Map(
      payments.map((payment) => [payment.walletAddress.toLowerCase(), payment] as const),
    );
    return queries.map(({ address, token }) => ({
      payment: byWallet.get(address.toLowerCase()) ?? null,
      chain: this.chains.get(parseTokenIdentifier(token).chain),
      address: address.toLowerCase() as Address,
      tokens: known.filter(({ id }) => id === token),
    }));
  }
}

/** Account from which the service withdraws a token: none of strangers' addresses, frozen payments and frozen tokens. */
const placeOf = (payment: ProjectedPayment | null, token: TokenIdentifier): Place =>
  payment === null || isFrozenFor(payment, [token]) ? NO_ACCOUNT : WALLET;

/** Wallets of the organisation with found money: only there it matters whether the owner can sign. */
const placesWithMoney = (found: Found) =>
  [...found].flatMap(([{ chain, payment }, balances]) =>
    payment !== null && balances.some(({ units }) => units !== null && units > 0n)
      ? [{ chain, payment }]
      : [],
  );

/** Shows every balance above zero of a wallet, or one error where its chain could not be read. */
function walletResults(
  lookup: BalanceLookup,
  found: readonly FoundBalance[] | undefined,
  canSign: CanSign,
): BalanceResult[] {
  const { chain, address, payment } = lookup;
  if (found === undefined) {
    const native = tokenIdentifier(chain.name, ZERO_ADDRESS);
    return [failedBalance(address, native, placeOf(payment, native))];
  }
  const shown = found.filter(
    (balance) => payment === null || isShown(balance, payment.depositToken),
  );
  return resultsOf(lookup, shown, canSign);
}

function customResults(
  lookup: BalanceLookup,
  found: readonly FoundBalance[] | undefined,
  canSign: CanSign,
): BalanceResult[] {
  const { address, payment, tokens } = lookup;
  if (found !== undefined) return resultsOf(lookup, found, canSign);
  return tokens.map(({ id }) => failedBalance(address, id, placeOf(payment, id)));
}

/** Names the account where the owner can sign for it. */
function resultsOf(
  { chain, payment }: BalanceLookup,
  found: readonly FoundBalance[],
  canSign: CanSign,
): BalanceResult[] {
  const isSignable = payment === null || canSign({ chain, payment });
  return found.map((balance) =>
    balanceResult(balance, isSignable ? placeOf(payment, balance.token) : NO_ACCOUNT),
  );
}
