/** Alpha-3 country codes, with a subdivision's code where only that part is meant: `USA`, `USA-NY`. */
export interface Places {
  only?: readonly string[];
  except?: readonly string[];
}

/** What a provider asks for one way of paying in one currency; amounts are decimal strings in that currency. */
export interface MethodOffer {
  id: string;
  min: string;
  max: string;
  feePercent: string;
  feeFixed: string;
  /** From the payment to the tokens' sending. */
  deliverySeconds: number;
  /** Where its customers may be, besides the offer's own places. */
  places?: Places;
}

export interface FiatOffer {
  code: string;
  /** The provider's own exchange rate: US dollars for one unit. */
  usd: string;
  methods: readonly MethodOffer[];
}

/** All that makes one provider different from another. */
export interface Offer {
  name: string;
  title: string;
  /** What the provider earns on the token's market price. */
  spreadPercent: string;
  quoteSeconds: number;
  checkoutMinutes: number;
  /** Where its customers may be; anywhere when absent. */
  places?: Places;
  /** Symbols of `SOLD_TOKENS`. */
  tokens: readonly string[];
  fiats: readonly FiatOffer[];
}

export function methodOffer(
  offer: Offer,
  fiat: string,
  method: string,
): { fiat: FiatOffer; method?: MethodOffer } | undefined {
  const found = offer.fiats.find((item) => item.code === fiat.toUpperCase());
  if (found === undefined) return undefined;
  const terms = found.methods.find((item) => item.id === method);
  return { fiat: found, ...(terms === undefined ? {} : { method: terms }) };
}
