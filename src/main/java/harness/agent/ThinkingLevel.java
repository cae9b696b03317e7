package harness.agent;

/** How hard a model is asked to think before it answers, from not at all upwards. */
public enum ThinkingLevel {
  OFF,
  MINIMAL,
  LOW,
  MEDIUM,
  HIGH,
  XHIGH
}
