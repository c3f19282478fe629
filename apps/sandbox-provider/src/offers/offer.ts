/** What a provider asks for one way of paying in one currency; amounts are decimal strings in that currency. */
export interface MethodOffer {
  id: string;
  min: string;
  max: string;
  feePercent: string;
  feeFixed: string;
  /** From the payment to the tokens' sending. */
  deliverySeconds: number;
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
