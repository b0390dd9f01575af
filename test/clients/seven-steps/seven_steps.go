// The seven steps with the Go client of openapi-generator, as a user of it would write them.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	api "example.test/clients/course-progress"
)

const company = "acme"

// 2^53 - 1, the largest id that every JSON parser keeps.
const largest int64 = 9007199254740991

func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func number(id int64) api.ExternalId { return api.ExternalId{Int64: &id} }
func text(id string) api.ExternalId  { return api.ExternalId{String: &id} }

func byEmail(email string) api.RecordUser {
	user := api.NewRecordUser()
	user.SetEmail(email)
	return *user
}

func byId(id api.ExternalId) api.RecordUser {
	user := api.NewRecordUser()
	user.SetExternalUserId(id)
	return *user
}

func course(id int64) api.RecordContent {
	content := api.NewRecordContent("course")
	content.SetPlatformCourseId(id)
	return *content
}

func external(id string) api.RecordContent {
	content := api.NewRecordContent("course")
	content.SetExternalCourseId(text(id))
	return *content
}

func percent(value float64) *api.RecordProgress {
	progress := api.NewRecordProgress()
	progress.SetCompletionPct(value)
	return progress
}

func record(name string, user api.RecordUser, content api.RecordContent, progress *api.RecordProgress) api.MigrationRecord {
	made := api.NewMigrationRecord(name, user, content)
	if progress != nil {
		made.SetProgress(*progress)
	}
	return *made
}

func outcomes(revert *api.Revert) []string {
	all := []string{}
	for _, each := range revert.Records {
		all = append(all, each.Outcome)
	}
	return all
}

func main() {
	ctx := context.Background()
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client := api.NewAPIClient(configuration)
	credentials := *api.NewCredentials("admin@acme.test", "changeme")
	tokens := must(client.AuthenticationAPI.Login(ctx).Credentials(credentials).Execute())
	configuration.AddDefaultHeader("Authorization", "Bearer "+tokens.AccessToken)
	reference, imports := client.CatalogAndUsersAPI, client.ProgressImportsAPI

	courses := must(reference.ListCourses(ctx, company).Execute()).Courses
	emails := []string{"ben.castillo@acme.test", "ivan.petrov@acme.test", "nobody@acme.test"}
	resolved := must(reference.ResolveUsers(ctx, company).ResolveRequest(*api.NewResolveRequest(emails)).Execute()).Users
	userMappings := *api.NewUserMappingRequest([]api.UserMappingEntry{
		*api.NewUserMappingEntry(number(9101), "ben.castillo@acme.test"),
		*api.NewUserMappingEntry(number(largest), "chiara.romano@acme.test"),
	})
	users := must(reference.RegisterUserMappings(ctx, company).UserMappingRequest(userMappings).Execute()).Mappings
	courseMappings := *api.NewCourseMappingRequest([]api.CourseMappingEntry{*api.NewCourseMappingEntry(text("SEC-1"), 101)})
	must(reference.RegisterCourseMappings(ctx, company).CourseMappingRequest(courseMappings).Execute())

	ben, half := byEmail("ben.castillo@acme.test"), percent(50)
	video := course(101)
	video.Type = "video"
	both := byEmail("ben.castillo@acme.test")
	both.SetExternalUserId(number(largest))
	noSuchDay := percent(50)
	noSuchDay.SetStartedAt("2024-02-30")
	wrong := []api.MigrationRecord{
		record("invalid_record", byEmail("no address"), course(101), half),
		record("duplicate_external_record_id", ben, course(101), half),
		record("duplicate_external_record_id", ben, course(102), half),
		record("user_not_found", byEmail("nobody@acme.test"), course(101), half),
		record("user_inactive", byEmail("ivan.petrov@acme.test"), course(101), half),
		record("unsupported_content_type", ben, video, half),
		record("course_not_in_catalog", ben, course(999), half),
		record("external_user_id_not_mapped", byId(text("unknown")), course(101), half),
		record("external_course_id_not_mapped", ben, external("unknown"), half),
		record("identifier_mismatch", both, course(101), half),
		record("invalid_completion_pct", ben, course(101), percent(101)),
		record("invalid_date_format", ben, course(101), noSuchDay),
		record("missing_progress", ben, course(101), nil),
	}
	class := api.NewRecordClass(largest - 1)
	class.SetViewedAt("2024-03-01")
	seen := api.NewRecordProgress()
	seen.SetClasses([]api.RecordClass{*class})
	good := []api.MigrationRecord{
		record("number", byId(number(9101)), external("SEC-1"), percent(66.67)),
		record("text", byId(text("9101")), course(102), half),
		record("largest", byId(number(largest)), course(largest), seen),
	}

	dryRun := must(imports.StartImport(ctx, company).ImportRequest(*api.NewImportRequest(true, wrong)).Execute())
	request := *api.NewImportRequest(false, good)
	ended := must(imports.StartImport(ctx, company).ImportRequest(request).IdempotencyKey(os.Args[2]).Execute())
	for ended.Status == "processing" {
		time.Sleep(100 * time.Millisecond)
		ended = must(imports.GetImport(ctx, company, ended.ImportId).Execute())
	}
	listed := must(imports.ListImportRecords(ctx, company, ended.ImportId).Include("record").Execute()).Records
	rejected := must(imports.ListImportRecords(ctx, company, dryRun.ImportId).Status("error").Execute()).Records

	plan := must(imports.RevertImport(ctx, company, ended.ImportId).RevertRequest(*api.NewRevertRequest(true)).Execute())
	reverted := must(imports.RevertImport(ctx, company, ended.ImportId).RevertRequest(*api.NewRevertRequest(false)).Execute())
	for reverted.Status == "processing" {
		time.Sleep(100 * time.Millisecond)
		reverted = must(imports.GetRevert(ctx, company, ended.ImportId).Execute())
	}

	shown := map[string]any{"dry_run": dryRun.Status, "status": ended.Status}
	shown["plan"] = []any{plan.Status, outcomes(plan)}
	shown["reverted"] = []any{reverted.Status, outcomes(reverted)}
	add := func(name string, value any) {
		before, _ := shown[name].([]any)
		shown[name] = append(before, value)
	}
	for _, each := range courses {
		add("courses", each.PlatformCourseId)
	}
	for _, each := range resolved {
		add("resolved", each.Status)
	}
	for _, each := range users {
		add("mapped", each.ExternalUserId.Get())
	}
	for _, each := range dryRun.Records {
		codes := []string{}
		for _, problem := range each.Errors {
			codes = append(codes, problem.ErrorCode)
		}
		add("errors", []any{each.ExternalRecordId.Get(), codes})
	}
	for _, each := range ended.Records {
		progress := each.Progress.Get()
		add("applied", []any{progress.PlatformCourseId, progress.CompletionPct})
	}
	for _, each := range listed {
		add("sent", each.Record.(map[string]any)["user"].(map[string]any)["external_user_id"])
	}
	classes := listed[2].Record.(map[string]any)["progress"].(map[string]any)["classes"].([]any)
	shown["class_id"] = classes[0].(map[string]any)["platform_class_id"]
	for _, each := range rejected {
		add("rejected", each.ExternalRecordId.Get())
	}
	if err := json.NewEncoder(os.Stdout).Encode(shown); err != nil {
		log.Fatal(err)
	}
}
