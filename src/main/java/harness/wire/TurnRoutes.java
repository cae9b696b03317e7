package harness.wire;

import com.fasterxml.jackson.databind.ObjectMapper;
import harness.admission.Admission;
import harness.admission.AdmissionRequest;
import harness.admission.Admissions;
import harness.api.AdmissionAnswer;

/** Admitting: {@code POST /turns} and {@code POST /agents/AGENT/INSTANCE-ID}. */
final class TurnRoutes {
  private static final String KEY = "Idempotency-Key";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Admissions admissions;

  TurnRoutes(Admissions admissions) {
    this.admissions = admissions;
  }

  Answer turn(Call call) {
    admissions.requireOpen();
    return admit(call, AdmissionCodec.turn(call.body(), call.header(KEY)));
  }

  Answer submission(Call call) {
    admissions.requireOpen();
    return admit(call, AdmissionCodec.submission(call.instance(), call.body(), call.header(KEY)));
  }

  private Answer admit(Call call, AdmissionRequest request) {
    Admission admission = admissions.admit(request);
    String agent =
        switch (request.destination()) {
          case AdmissionRequest.Destination.Structural to -> to.address().agent();
          case AdmissionRequest.Destination.Exact to -> to.instance().agent();
        };
    AdmissionAnswer answer =
        new AdmissionAnswer(
            admission.instanceId(),
            admission.epoch(),
            admission.isNew(),
            admission.submissionId(),
            "http://"
                + call.request().authority()
                + "/agents/"
                + RawPath.encode(agent)
                + "/"
                + RawPath.encode(admission.instanceId()),
            admission.offset(),
            admission.ahead());
    Answer ok = Answer.ok(JSON.valueToTree(answer));
    return admission.replayed() ? ok.with("Idempotent-Replayed", "true") : ok;
  }
}
