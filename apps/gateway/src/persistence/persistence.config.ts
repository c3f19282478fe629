import { ApiKeyEntity } from './api-key.entity.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { KeySetEntity } from './key-set.entity.js';
import { CreateGateway1763720000000 } from './migrations/create-gateway.migration.js';
import { OrganisationEntity } from './organisation.entity.js';

export const entities = [OrganisationEntity, KeySetEntity, ApiKeyEntity, AuditEntryEntity];
export const migrations = [CreateGateway1763720000000];
