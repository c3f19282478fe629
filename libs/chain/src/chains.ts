import { Chain } from './chain.js';
import type { ChainsConfig } from './chains-config.js';

/** Chains of this deployment. */
export class Chains {
  private readonly byName: ReadonlyMap<string, Chain>;

  constructor(config: ChainsConfig) {
    this.byName = new Map(
      config.chains.map((chain) => [chain.definition.name, new Chain(chain)] as const),
    );
  }

  /** @throws when the chain is not configured. */
  get(name: string): Chain {
    const chain = this.find(name);
    if (!chain) throw new Error(`chain "${name}" is not configured`);
    return chain;
  }

  find(name: string): Chain | undefined {
    return this.byName.get(name);
  }

  byChainId(chainId: number | bigint): Chain | undefined {
    return this.all().find((chain) => chain.chainId === Number(chainId));
  }

  all(): Chain[] {
    return [...this.byName.values()];
  }
}
