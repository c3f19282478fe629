import { settleWithGrace } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { sanctionsListAbi } from '@bascule/solidity';
import type { Address } from 'viem';
import type { ScreeningSource } from '../screening-source.js';

/** Wait for slower nodes after the first answer. */
const STRAGGLER_MS = 1_000;
/** Minimum of answers when several endpoints are configured: a single one may be wrong. */
const WITNESSES = 2;

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

  /** Asks every endpoint; an address that one of them reports is sanctioned. */
  async screen(addresses: readonly Address[]): Promise<ReadonlySet<Address>> {
    const { endpoints, name } = this.chain;
    const { values, reasons } = await settleWithGrace(
      endpoints.map((endpoint) => this.ask(endpoint, addresses)),
      STRAGGLER_MS,
    );
    if (values.length < Math.min(WITNESSES, endpoints.length)) {
      throw new AggregateError(reasons, `too few endpoints of ${name} answered about the oracle`);
    }
    return new Set(values.flat());
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
