/** Limits to set; undefined leaves one as it is, null is the deployment's default. */
export interface KeySetLimits {
  rateLimit?: number | null;
  clientRateLimit?: number | null;
}
