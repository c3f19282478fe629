import {
  COUNTRY_RULES_KEY,
  DEFAULT_COUNTRY_RULES,
  TOPICS,
  type CountryRules,
  type CountryRulesState,
  type PaymentMethod,
  type Place,
} from '@bascule/contracts';
import type { Outbox } from '@bascule/messaging';
import { OperatorError } from '@bascule/operator-commands';
import type { DataSource } from 'typeorm';
import { DEPLOYMENT } from '../persistence/audit-log.repository.js';
import type { AuditLogRepository } from '../persistence/audit-log.repository.js';
import { CountryRulesEntity } from '../persistence/country-rules.entity.js';
import { lockSingleRow } from '../persistence/single-row.repository.js';

interface Change {
  action: string;
  details: Record<string, unknown>;
  /** @throws OperatorError for a change that changes nothing */
  next: (rules: CountryRules) => CountryRules;
}

/** Changes where the deployment serves customers: one transaction with its audit entry and its event. */
export class CountryRulesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly auditLog: AuditLogRepository,
  ) {}

  async rules(): Promise<CountryRules> {
    const id = COUNTRY_RULES_KEY;
    const stored = await this.dataSource.manager.findOneBy(CountryRulesEntity, { id });
    return stored ?? DEFAULT_COUNTRY_RULES;
  }

  prohibit(places: readonly Place[]): Promise<void> {
    return this.change({
      action: 'country_rules.prohibited',
      details: { places },
      next: ({ prohibited, methods }) => {
        const known = places.filter((place) => prohibited.includes(place));
        if (known.length > 0) throw new OperatorError(`prohibited already: ${known.join(', ')}`);
        return { prohibited: [...prohibited, ...places].sort(), methods };
      },
    });
  }

  permit(places: readonly Place[]): Promise<void> {
    return this.change({
      action: 'country_rules.permitted',
      details: { places },
      next: ({ prohibited, methods }) => {
        const unknown = places.filter((place) => !prohibited.includes(place));
        if (unknown.length > 0) throw new OperatorError(`not prohibited: ${unknown.join(', ')}`);
        return { prohibited: prohibited.filter((place) => !places.includes(place)), methods };
      },
    });
  }

  /** Restricts a payment method to these places, in place of those before. */
  restrict(method: PaymentMethod, places: readonly Place[]): Promise<void> {
    return this.change({
      action: 'country_rules.method_restricted',
      details: { method, places },
      next: ({ prohibited, methods }) => ({
        prohibited,
        methods: { ...methods, [method]: [...places].sort() },
      }),
    });
  }

  unrestrict(method: PaymentMethod): Promise<void> {
    return this.change({
      action: 'country_rules.method_unrestricted',
      details: { method },
      next: ({ prohibited, methods: { [method]: restricted, ...methods } }) => {
        if (restricted === undefined) throw new OperatorError(`${method} is not restricted`);
        return { prohibited, methods };
      },
    });
  }

  private change({ action, details, next }: Change): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const before = await lockSingleRow(manager, CountryRulesEntity, {
        id: COUNTRY_RULES_KEY,
        ...DEFAULT_COUNTRY_RULES,
      });
      const data: CountryRulesState = { ...next(before), version: before.version + 1 };
      await manager.update(CountryRulesEntity, COUNTRY_RULES_KEY, data);
      await this.auditLog.append(manager, action, DEPLOYMENT, details);
      await this.outbox.append(manager, {
        topic: TOPICS.countryRules,
        type: 'country_rules.changed',
        key: COUNTRY_RULES_KEY,
        data,
      });
    });
  }
}
