package harness.model.http;

import harness.model.Message;
import harness.model.Part;
import harness.model.Request;
import java.util.HashSet;
import java.util.Set;

/**
 * Gives each call an id that its conversation does not have yet: the server's own where it is one,
 * as some give none, the same to all, or count from 0 in each reply.
 */
final class CallIds {
  private final Set<String> taken = new HashSet<>();

  CallIds(Request request) {
    for (Message message : request.messages()) {
      if (message instanceof Message.Assistant assistant) {
        for (Part part : assistant.parts()) {
          if (part instanceof Part.Call call) {
            taken.add(call.callId());
          }
        }
      }
    }
  }

  String take(String theirs) {
    if (!theirs.isBlank() && taken.add(theirs)) {
      return theirs;
    }
    int number = taken.size();
    while (!taken.add("call_" + number)) {
      number++;
    }
    return "call_" + number;
  }
}
