import { Injectable } from '@nestjs/common';
import { ApiError } from '../wire/api-error.js';
import type { SimulatedProvider } from './simulated-provider.js';

/** Registry of simulated providers by name. */
@Injectable()
export class ProviderRegistryService {
  private readonly byName: ReadonlyMap<string, SimulatedProvider>;

  constructor(
    providers: readonly SimulatedProvider[],
    /** Base URL of checkout links; the host of the request when unset. */
    readonly publicUrl?: string,
  ) {
    this.byName = new Map(providers.map((provider) => [provider.offer.name, provider]));
  }

  get(name: string): SimulatedProvider {
    const provider = this.byName.get(name);
    if (provider === undefined) throw new ApiError('not_found', 'Provider not found.');
    return provider;
  }

  all(): SimulatedProvider[] {
    return [...this.byName.values()];
  }
}
