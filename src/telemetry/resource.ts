import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';

/** Names the process that exports. Variables of OpenTelemetry (`OTEL_RESOURCE_ATTRIBUTES`) win. */
export function resourceOf({
  service,
  instance,
}: {
  readonly service: string;
  readonly instance: string;
}): Resource {
  const attributes = { 'service.name': service, 'service.instance.id': instance };
  return defaultResource()
    .merge(resourceFromAttributes(attributes))
    .merge(detectResources({ detectors: [envDetector] }));
}
