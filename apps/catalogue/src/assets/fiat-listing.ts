/** A fiat currency as ISO 4217 has it. */
export interface FiatListing {
  /** Whose money it is: a country, or the bank of a union. */
  issuer: string;
  name: string;
  decimals: number;
  /** The flag of the country; for a union's money that of its bank's seat. */
  image_url: string;
  sign?: string;
  /** What people call it, where ISO says it otherwise. */
  alias?: string;
}
