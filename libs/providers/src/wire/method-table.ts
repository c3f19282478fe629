import type { PaymentMethod } from '@bascule/contracts';
import type { OnrampQuoteRequest } from '../port/onramp-provider.js';
import { ProviderError } from '../port/provider-error.js';
import { UnreadableAnswer, type JsonObject } from './json-object.js';

/** Facts of a method of payment at a provider, whatever else its table has. */
export interface ProviderMethod {
  /** Lower-case fiat codes; all when absent. */
  fiats?: readonly string[];
  /** Offered only where the operator names the method. */
  isOptional?: true;
  /** Seconds from payment to delivery, as we expect them: providers do not tell. */
  latencySeconds: number;
}

/** Methods of payment that a provider has. */
export class MethodTable<Method extends ProviderMethod> {
  private readonly methods: ReadonlyMap<PaymentMethod, Method>;

  /** @param owner name of the provider, for errors of the configuration */
  constructor(
    private readonly owner: string,
    methods: Readonly<Partial<Record<PaymentMethod, Method>>>,
  ) {
    this.methods = new Map(Object.entries(methods) as [PaymentMethod, Method][]);
  }

  /** Reads the `methods` of an entry in `PROVIDERS`; those that are not optional without it. @throws UnreadableAnswer */
  read(entry: JsonObject): readonly PaymentMethod[] {
    if (!entry.has('methods')) {
      return [...this.methods].flatMap(([method, { isOptional }]) => (isOptional ? [] : method));
    }
    return entry.strings('methods').map((method) => {
      if (this.methods.has(method as PaymentMethod)) return method as PaymentMethod;
      throw new UnreadableAnswer('methods', `a list of methods of ${this.owner}: ${method}`);
    });
  }

  /** Returns those of the chosen methods that take a fiat. */
  offered(
    chosen: readonly PaymentMethod[],
    fiat: string,
  ): { method: PaymentMethod; known: Method }[] {
    return chosen.flatMap((method) => {
      const known = this.methods.get(method);
      return known && (known.fiats?.includes(fiat) ?? true) ? [{ method, known }] : [];
    });
  }

  /** Facts of an offered method. @throws ProviderError with a `payin_method` issue */
  of(
    provider: string,
    chosen: readonly PaymentMethod[],
    { method, fiat }: Pick<OnrampQuoteRequest, 'method' | 'fiat'>,
  ): Method {
    const offer = this.offered(chosen, fiat.toLowerCase()).find((each) => each.method === method);
    if (offer) return offer.known;
    const message = `${provider}: ${method} is not offered for ${fiat}`;
    throw new ProviderError(provider, 'unsupported', [{ kind: 'payin_method', message }]);
  }
}
