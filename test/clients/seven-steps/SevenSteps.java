import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.CatalogAndUsersApi;
import org.openapitools.client.api.ProgressImportsApi;
import org.openapitools.client.model.*;

/** The seven steps with the Java client of openapi-generator, as a user of it would write them. */
public class SevenSteps {
  static final String COMPANY = "acme";

  /** 2^53 - 1, the largest id that every JSON parser keeps. */
  static final long LARGEST = 9007199254740991L;

  static RecordUser byEmail(String email) {
    return new RecordUser().email(email);
  }

  static RecordContent course(Long id) {
    return new RecordContent().type(RecordContent.TypeEnum.COURSE).platformCourseId(id);
  }

  static RecordContent external(String id) {
    return new RecordContent().type(RecordContent.TypeEnum.COURSE).externalCourseId(new ExternalId(id));
  }

  static RecordProgress percent(double value) {
    return new RecordProgress().completionPct(value);
  }

  static MigrationRecord record(String name, RecordUser user, RecordContent content, RecordProgress progress) {
    MigrationRecord made = new MigrationRecord().externalRecordId(name).user(user).content(content);
    return progress == null ? made : made.progress(progress);
  }

  static List<RevertedRecord.OutcomeEnum> outcomes(Revert revert) {
    return revert.getRecords().stream().map(RevertedRecord::getOutcome).toList();
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    String token =
        new AuthenticationApi(client)
            .login(new Credentials().email("admin@acme.test").password("changeme"))
            .getAccessToken();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    CatalogAndUsersApi reference = new CatalogAndUsersApi(client);
    ProgressImportsApi imports = new ProgressImportsApi(client);

    CourseList catalog = reference.listCourses(COMPANY, null, null, null);
    List<String> emails = List.of("ben.castillo@acme.test", "ivan.petrov@acme.test", "nobody@acme.test");
    ResolveReport resolved = reference.resolveUsers(COMPANY, new ResolveRequest().emails(emails));
    UserMappingReport users =
        reference.registerUserMappings(
            COMPANY,
            new UserMappingRequest()
                .addMappingsItem(
                    new UserMappingEntry().externalUserId(new ExternalId(9101L)).email("ben.castillo@acme.test"))
                .addMappingsItem(
                    new UserMappingEntry().externalUserId(new ExternalId(LARGEST)).email("chiara.romano@acme.test")));
    reference.registerCourseMappings(
        COMPANY,
        new CourseMappingRequest()
            .addMappingsItem(
                new CourseMappingEntry().externalCourseId(new ExternalId("SEC-1")).platformCourseId(101L)));

    RecordUser ben = byEmail("ben.castillo@acme.test");
    RecordProgress half = percent(50);
    List<MigrationRecord> wrong =
        List.of(
            record("invalid_record", byEmail("no address"), course(101L), half),
            record("duplicate_external_record_id", ben, course(101L), half),
            record("duplicate_external_record_id", ben, course(102L), half),
            record("user_not_found", byEmail("nobody@acme.test"), course(101L), half),
            record("user_inactive", byEmail("ivan.petrov@acme.test"), course(101L), half),
            record("unsupported_content_type", ben, course(101L), half),
            record("course_not_in_catalog", ben, course(999L), half),
            record(
                "external_user_id_not_mapped",
                new RecordUser().externalUserId(new ExternalId("unknown")),
                course(101L),
                half),
            record("external_course_id_not_mapped", ben, external("unknown"), half),
            record(
                "identifier_mismatch",
                byEmail("ben.castillo@acme.test").externalUserId(new ExternalId(LARGEST)),
                course(101L),
                half),
            record("invalid_completion_pct", ben, course(101L), percent(101)),
            record("invalid_date_format", ben, course(101L), percent(50).startedAt("2024-02-30")),
            record("missing_progress", ben, course(101L), null));
    List<MigrationRecord> good =
        List.of(
            record("number", new RecordUser().externalUserId(new ExternalId(9101L)), external("SEC-1"), percent(66.67)),
            record("text", new RecordUser().externalUserId(new ExternalId("9101")), course(102L), half),
            record(
                "largest",
                new RecordUser().externalUserId(new ExternalId(LARGEST)),
                course(LARGEST),
                new RecordProgress()
                    .addClassesItem(new RecordClass().platformClassId(LARGEST - 1).viewedAt("2024-03-01"))));

    ModelImport dryRun = validated(client, args[0], token, new ImportRequest().dryRun(true).records(wrong));
    ModelImport ended = imports.startImport(COMPANY, new ImportRequest().dryRun(false).records(good), args[1]);
    while (ended.getStatus() == ModelImport.StatusEnum.PROCESSING) {
      Thread.sleep(100);
      ended = imports.getImport(COMPANY, ended.getImportId(), null);
    }
    List<ListedResult> listed =
        imports.listImportRecords(COMPANY, ended.getImportId(), null, null, null, "record", null).getRecords();
    List<ListedResult> rejected =
        imports.listImportRecords(COMPANY, dryRun.getImportId(), "error", null, null, null, null).getRecords();

    Revert plan = imports.revertImport(COMPANY, ended.getImportId(), new RevertRequest().dryRun(true));
    Revert reverted = imports.revertImport(COMPANY, ended.getImportId(), new RevertRequest().dryRun(false));
    while (reverted.getStatus() == Revert.StatusEnum.PROCESSING) {
      Thread.sleep(100);
      reverted = imports.getRevert(COMPANY, ended.getImportId());
    }

    ObjectMapper mapper = client.getObjectMapper();
    List<JsonNode> sent = listed.stream().map(each -> mapper.<JsonNode>valueToTree(each.getRecord())).toList();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("courses", catalog.getCourses().stream().map(Course::getPlatformCourseId).toList());
    shown.put("resolved", resolved.getUsers().stream().map(ResolvedUser::getStatus).toList());
    shown.put("mapped", users.getMappings().stream().map(UserMappingResult::getExternalUserId).toList());
    shown.put("dry_run", dryRun.getStatus());
    shown.put(
        "errors",
        dryRun.getRecords().stream()
            .map(
                each ->
                    List.of(
                        each.getExternalRecordId(),
                        each.getErrors().stream().map(RecordError::getErrorCode).toList()))
            .toList());
    shown.put("status", ended.getStatus());
    shown.put(
        "applied",
        ended.getRecords().stream()
            .map(each -> List.of(each.getProgress().getPlatformCourseId(), each.getProgress().getCompletionPct()))
            .toList());
    shown.put("sent", sent.stream().map(each -> each.at("/user/external_user_id")).toList());
    shown.put("class_id", sent.get(2).at("/progress/classes/0/platform_class_id"));
    shown.put("rejected", rejected.stream().map(ListedResult::getExternalRecordId).toList());
    shown.put("plan", List.of(plan.getStatus(), outcomes(plan)));
    shown.put("reverted", List.of(reverted.getStatus(), outcomes(reverted)));
    System.out.println(mapper.writeValueAsString(shown));
  }

  /** The type of the client has no `video`: this request is sent as JSON, and its response read as the type. */
  static ModelImport validated(ApiClient client, String url, String token, ImportRequest request) throws Exception {
    ObjectMapper mapper = client.getObjectMapper();
    JsonNode body = mapper.valueToTree(request);
    for (JsonNode each : body.get("records")) {
      if (each.get("external_record_id").asText().equals("unsupported_content_type"))
        ((ObjectNode) each.get("content")).put("type", "video");
    }
    HttpRequest sent =
        HttpRequest.newBuilder(URI.create(url + "/v1/migrations/" + COMPANY + "/progress/imports"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(mapper.writeValueAsString(body)))
            .build();
    String text = client.getHttpClient().send(sent, HttpResponse.BodyHandlers.ofString()).body();
    return mapper.readValue(text, ModelImport.class);
  }
}
