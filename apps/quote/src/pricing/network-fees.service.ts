import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { zeroAddress } from 'viem';
import type { GasValue } from '@bascule/venues';
import { equalValue, type Amount } from '../routes/amount.js';
import { MissingPriceError, type PriceBook } from '../routes/price-book.js';
import type { RequestContext } from '../routes/quoting-context.js';
import { ChainUnavailableFailure } from '../routes/route-failure.js';
import type { RouteLeg } from '../routes/route.js';
import { BridgeQuoterService } from '../sources/bridge-quoter.service.js';
import { GasPricesService } from '../sources/gas-prices.service.js';
import { customActionsOf, customBytes, customGas } from './custom-actions.js';
import { legBytes, legGas, type PartsGas } from './leg-gas.js';

type LegParts = Omit<PartsGas, 'bridge'>;
type WithActions = Pick<RequestContext, 'customActions'>;

/** Counts the gas of legs, and its cost at the current gas price. */
@Injectable()
export class NetworkFeesService {
  constructor(
    private readonly chains: Chains,
    private readonly bridges: BridgeQuoterService,
    private readonly gasPrices: GasPricesService,
  ) {}

  /** Gas of a leg without custom actions. */
  gasOf({ lane }: RouteLeg, parts: LegParts): bigint {
    return legGas({ ...parts, bridge: lane && this.bridges.gasOf(lane) });
  }

  /** Gas of a leg, custom actions included. */
  wholeGasOf(leg: RouteLeg, parts: LegParts, context: WithActions): bigint {
    return this.gasOf(leg, parts) + customGas(customActionsOf(leg, context));
  }

  /** Cost of a leg in its chain's native currency, custom actions and a rollup's data fee included. @throws ChainUnavailableFailure */
  async costOf(leg: RouteLeg, parts: LegParts, context: WithActions): Promise<Amount> {
    const chain = this.chains.get(leg.chain);
    const bytes = legBytes(parts) + customBytes(customActionsOf(leg, context));
    const [gasPrice, dataFee] = await Promise.all([
      this.gasPrices.of(chain),
      this.gasPrices.dataFee(chain, bytes),
    ]).catch((cause: unknown) => {
      throw gasPriceUnknown(chain, cause);
    });
    return nativeAmount(chain, this.wholeGasOf(leg, parts, context) * gasPrice + dataFee);
  }

  /** Value of gas in a token of the chain: 0 for a token without a price. @throws ChainUnavailableFailure */
  async gasValueIn(
    chain: Chain,
    token: Omit<Amount, 'units'>,
    prices: PriceBook,
  ): Promise<GasValue> {
    const gasPrice = await this.gasPrices.of(chain).catch((cause: unknown) => {
      throw gasPriceUnknown(chain, cause);
    });
    return (gas) => {
      try {
        return equalValue(nativeAmount(chain, gas * gasPrice), token, prices, 'up');
      } catch (error) {
        if (error instanceof MissingPriceError) return 0n;
        throw error;
      }
    };
  }
}

const nativeAmount = ({ name, definition }: Chain, units: bigint): Amount => ({
  asset: tokenIdentifier(name, zeroAddress),
  decimals: definition.nativeCurrency.decimals,
  units,
});

function gasPriceUnknown({ name }: Chain, cause: unknown): ChainUnavailableFailure {
  const message = `Could not read the gas price of ${name}.`;
  return new ChainUnavailableFailure([name], [{ kind: 'other', message }], { cause });
}
