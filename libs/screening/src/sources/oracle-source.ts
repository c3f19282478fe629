import { settleWithGrace, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { sanctionsListAbi } from '@bascule/solidity';
import type { Address } from 'viem';
import type { ScreeningSource, Verdicts } from '../screening-source.js';

/** Wait for slower nodes after the first answer. */
const STRAGGLER_MS = 1_000;
/** The on-chain sanctions oracle of one chain, with `isSanctioned(address)`. */
export class OracleSource implements ScreeningSource {
  readonly name: string;
  readonly isRemote = true;

  constructor(
    private readonly chain: Pick<Chain, 'name' | 'endpoints'>,
    private readonly oracle: Address,
  ) {
    this.name = `oracle:${chain.name}`;
  }

  /**
   * Asks every endpoint. An address is sanctioned when two report it, or the only endpoint; an address that one of several
   * reports alone has no verdict.
   * @throws when none answers, or only one of three or more
   */
  async screen(addresses: readonly Address[]): Promise<Verdicts> {
    const { endpoints, name } = this.chain;
    const { values, reasons } = await settleWithGrace(
      endpoints.map((endpoint) => this.ask(endpoint, addresses)),
      STRAGGLER_MS,
    );
    // One of them may be away: of two, the other one clears alone.
    const least = Math.max(1, witnessesNeeded({ endpoints: endpoints.slice(1) }));
    if (values.length < least) {
      throw new AggregateError(reasons, `too few endpoints of ${name} answered about the oracle`);
    }
    const needed = witnessesNeeded({ endpoints });
    const reports = (address: Address) => values.filter((hits) => hits.includes(address)).length;
    return {
      sanctioned: new Set(addresses.filter((address) => reports(address) >= needed)),
      unanswered: new Set(
        addresses.filter((address) => reports(address) > 0 && reports(address) < needed),
      ),
    };
  }

  private async ask(endpoint: EndpointClient, addresses: readonly Address[]): Promise<Address[]> {
    const verdicts = await endpoint.multicall({
      allowFailure: false,
      contracts: addresses.map((address) => ({
        address: this.oracle,
        abi: sanctionsListAbi,
        functionName: 'isSanctioned' as const,
        args: [address] as const,
      })),
    });
    return addresses.filter((_, index) => verdicts[index] === true);
  }
}
