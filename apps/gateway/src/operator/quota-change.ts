import type { OrganisationQuotas } from '@bascule/contracts';

/** Quotas to set; null for the deployment's. */
export type QuotaChange = { [Quota in keyof OrganisationQuotas]?: number | null };
