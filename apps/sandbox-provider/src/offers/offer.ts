/** Alpha-3 country codes, with a subdivision's code where only that part is meant: `USA`, `USA-NY`. */
export interface Places {
  only?: readonly string[];
  except?: readonly string[];
}

/** Terms of one payment method in one currency; amounts are decimal strings in that currency. */
export interface MethodOffer {
  id: string;
  min: string;
  max: string;
  feePercent: string;
  feeFixed: string;
  /** Seconds from payment to token transfer. */
  deliverySeconds: number;
  /** Allowed customer locations, in addition to those of the offer. */
  places?: Places;
}

export interface FiatOffer {
  code: string;
  /** The provider's own exchange rate: US dollars for one unit. */
  usd: string;
  methods: readonly MethodOffer[];
}

/** Terms of one provider. */
export interface Offer {
  name: string;
  title: string;
  /** Spread on the token's market price. */
  spreadPercent: string;
  quoteSeconds: number;
  checkoutMinutes: number;
  /** Allowed customer locations; everywhere when absent. */
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
