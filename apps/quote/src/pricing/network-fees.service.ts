import { Chains } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { zeroAddress } from 'viem';
import type { Amount } from '../routes/amount.js';
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
      const message = `Could not read the gas price of ${chain.name}.`;
      throw new ChainUnavailableFailure([chain.name], [{ kind: 'other', message }], { cause });
    });
    return {
      asset: tokenIdentifier(chain.name, zeroAddress),
      decimals: chain.definition.nativeCurrency.decimals,
      units: this.wholeGasOf(leg, parts, context) * gasPrice + dataFee,
    };
  }
}
