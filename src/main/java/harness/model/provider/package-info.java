/**
 * The providers that configuration names: {@link harness.model.provider.ProviderConfig} says what
 * there is, {@link harness.model.provider.ConfiguredModels} finds a Turn's model in it. It reads no
 * file and opens no connection itself.
 */
@NullMarked
package harness.model.provider;

import org.jspecify.annotations.NullMarked;
