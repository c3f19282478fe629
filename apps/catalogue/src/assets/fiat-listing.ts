/** A fiat currency of ISO 4217. */
export interface FiatListing {
  /** Country, or the central bank of a currency union. */
  issuer: string;
  name: string;
  decimals: number;
  /** Flag of the country, or of the seat of the union's central bank. */
  image_url: string;
  sign?: string;
  /** Common name where it differs from ISO 4217. */
  alias?: string;
}
