import { Chains, ZERO_ADDRESS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidRequest, parseTokenIdentifier, tokenIdentifier } from '@bascule/contracts';
import type {
  BalanceResult,
  BalancesResponse,
  TokenIdentifier,
  ValidationError,
} from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { WithdrawalFeesService } from '../fees/withdrawal-fees.service.js';
import type { FeeToken } from '../fees/withdrawal-fees.service.js';
import { PaymentAccessService } from '../payments/payment-access.service.js';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { balanceResult, failedBalance, isShown } from './balance-results.js';
import type { FoundBalance } from './balance-results.js';
import type { BalancesDto, CustomQueryDto } from './balances.dto.js';
import { OrderBalancesService } from './order-balances.service.js';
import { TokenBalancesClient } from '../chain/token-balances.client.js';
import { ChainUnreadableError } from '../chain/chain-unreadable-error.js';

/** Tokens of one address on one chain. */
interface Look {
  chain: Chain;
  address: Address;
  tokens: FeeToken[];
}

@Injectable()
export class BalancesService {
  constructor(
    private readonly chains: Chains,
    private readonly payments: PaymentAccessService,
    private readonly projections: ProjectionsRepository,
    private readonly balances: TokenBalancesClient,
    private readonly orders: OrderBalancesService,
    private readonly fees: WithdrawalFeesService,
    private readonly settings: WithdrawalSettings,
    private readonly context: ServiceContext,
  ) {}

  async list(caller: Caller, request: BalancesDto): Promise<BalancesResponse> {
    const custom = await this.customLooks(request.custom_queries ?? []);
    const payment =
      request.payment_id === undefined ? null : await this.payments.get(caller, request.payment_id);
    const results = await Promise.all([
      ...(payment === null ? [] : [this.ofPayment(payment), this.orders.list(payment)]),
      ...custom.map((look) => this.ofLook(look)),
    ]);
    return { balance_results: results.flat(), future_withdrawable_balances: [] };
  }

  private async ofPayment(payment: ProjectedPayment): Promise<BalanceResult[]> {
    const looks = await this.walletLooks(payment);
    const results = await Promise.all(
      looks.map(async (look) => {
        try {
          const found = await this.find(look);
          return found
            .filter((balance) => isShown(balance, payment.depositToken))
            .map((balance) => balanceResult(balance));
        } catch (error) {
          return [failedBalance(look.address, this.unreadable(look.chain, error))];
        }
      }),
    );
    return results.flat();
  }

  private async ofLook(look: Look): Promise<BalanceResult[]> {
    try {
      return (await this.find(look)).map((balance) => balanceResult(balance));
    } catch (error) {
      this.unreadable(look.chain, error);
      return look.tokens.map(({ id }) => failedBalance(look.address, id));
    }
  }

  private unreadable(chain: Chain, error: unknown): TokenIdentifier {
    if (!(error instanceof ChainUnreadableError)) throw error;
    this.context.logger.warn({ err: error, chain: chain.name }, 'balances cannot be read');
    return tokenIdentifier(chain.name, ZERO_ADDRESS);
  }

  /** @throws ChainUnreadableError */
  private async find({ chain, address, tokens }: Look): Promise<FoundBalance[]> {
    const [units, fees] = await Promise.all([
      this.balances.read(
        chain,
        tokens.map(({ id }) => ({ owner: address, token: parseTokenIdentifier(id).address })),
        this.settings.balanceTimeoutMs,
      ),
      this.fees.quoteEach(chain, address, tokens),
    ]);
    return tokens.map(({ id, decimals }, index) => ({
      address,
      token: id,
      decimals,
      units: units[index] ?? null,
      fee: fees.get(id) ?? null,
    }));
  }

  /** Every token that the catalogue knows, on every chain: money sent on the wrong one shows up too. */
  private async walletLooks(payment: ProjectedPayment): Promise<Look[]> {
    const chains = this.chains.all();
    const assets = await this.projections.listedTokens(chains.map(({ name }) => name));
    return chains.map((chain) => {
      const native = {
        id: tokenIdentifier(chain.name, ZERO_ADDRESS),
        decimals: chain.definition.nativeCurrency.decimals,
      };
      const others = assets.filter((asset) => asset.chain === chain.name && asset.id !== native.id);
      return { chain, address: payment.walletAddress as Address, tokens: [native, ...others] };
    });
  }

  private async customLooks(queries: readonly CustomQueryDto[]): Promise<Look[]> {
    const known = await this.projections.tokens(queries.map(({ token }) => token));
    const isKnown = (token: TokenIdentifier) =>
      known.some(({ id }) => id === token) && this.chains.find(parseTokenIdentifier(token).chain);
    const problems = queries.flatMap(({ token }, index): ValidationError[] => {
      const path = ['custom_queries', index, 'token'];
      return isKnown(token) ? [] : [{ code: 'custom', path, message: 'Not a known token.' }];
    });
    if (problems.length > 0) throw invalidRequest(...problems);
    return queries.map(({ address, token }) => ({
      chain: this.chains.get(parseTokenIdentifier(token).chain),
      address: address.toLowerCase() as Address,
      tokens: known.filter(({ id }) => id === token),
    }));
  }
}
